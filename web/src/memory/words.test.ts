import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Judgement, Memory, Receipt } from "../api/memory";
import { Operation } from "../api/operation";
import { why, whyOfTest } from "./cases";
import { origin, proving, reads, used } from "./words";

const judgement = (name: string, decision: string | null = "block") =>
  Judgement.parse({ case: name, verdict: "failed", decision });

it("only what is allowed counts as used", () => {
  const decisions = ["allow", "degrade", "wait", "block", null];
  expect(decisions.map((one) => used(judgement("x", one)).good)).toEqual([true, false, false, false, false]);
  expect(decisions.slice(1, 4).every((one) => used(judgement("x", one)).words.startsWith("Withheld"))).toBe(
    true,
  );
});

it("every case of the server's table has its words", () => {
  const rules = readFileSync(new URL("../../../shared/memory/receipt.py", import.meta.url), "utf8");
  const names = [...rules.matchAll(/Rule\(\s*"([a-z_]+)"/g)].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) expect(why(name)).not.toContain(name.replaceAll("_", " "));
  expect(why("a_new_case")).toBe("a new case.");
  expect(why("clean_write")).toContain("yours");
  expect(whyOfTest("clean_write")).not.toContain("yours");
  expect(whyOfTest("wrong_scope_result")).toBe(why("wrong_scope_result"));
});

it("tells where a memory comes from, also where nobody knows", () => {
  const memory = { id: "1", fact: "f", created_at: "", updated_at: "", judgement: judgement("x") };
  expect(origin(Memory.parse({ ...memory, origin: { kind: "chat", source: "t" } }))).toBe(
    "From a conversation",
  );
  expect(origin(Memory.parse(memory))).toContain("nobody knows");
});

it("tells what is still being proved from what nobody knows", () => {
  const at = "2026-06-15T12:00:00Z";
  const memory = (name: string, updated_at = at) =>
    Memory.parse({ id: "1", fact: "f", created_at: at, updated_at, judgement: judgement(name) });
  const running = (fields: object) => [
    Operation.parse({
      id: "o",
      kind: "memory_generation",
      status: "running",
      created_at: at,
      updated_at: at,
      ...fields,
    }),
  ];
  expect(proving(memory("unknown_source"), running({}))).toBe(true);
  expect(proving(memory("stale_revision"), running({}))).toBe(true);
  expect(proving(memory("unknown_source"), [])).toBe(false);
  expect(proving(memory("unknown_source"), running({ kind: "agent_task" }))).toBe(false);
  // It was there before the work began, or is told to be wrong: the work explains neither.
  expect(proving(memory("unknown_source", "2026-06-15T11:00:00Z"), running({}))).toBe(false);
  expect(proving(memory("wrong_scope_result"), running({}))).toBe(false);
});

it("keeps the four ways of reading apart", () => {
  const receipt = Receipt.parse({
    id: "1",
    at: "",
    occasion: "recall",
    verdict: "degraded",
    reads: { scope: { asked: 2, hits: 1 }, similarity: { asked: 1, failed: 1 } },
  });
  expect(reads(receipt).map(({ read }) => [read.asked, read.hits, read.failed])).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [2, 1, 0],
    [1, 0, 1],
  ]);
});
