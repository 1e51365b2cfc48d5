import { afterEach, expect, test, vi } from "vitest";
import { deleteNote, getNote, restoreNote, setTask } from "./server";
import { inTurn } from "./turns";

interface Sent {
  what: string;
  answer: (status: number) => void;
}

/** A server that answers only when it is told to. */
function slow(): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    if (url.endsWith("/config.json")) return Promise.resolve(new Response("{}"));
    return new Promise<Response>((answer) =>
      sent.push({
        what: `${init.method ?? "GET"} ${url.replace(/^.*\/api\/v1/, "")} ${typeof init.body === "string" ? init.body : ""}`,
        answer: (status) => answer(new Response(status === 204 ? null : "{}", { status })),
      }),
    );
  });
  return sent;
}

const settled = () => new Promise((done) => setTimeout(done));

afterEach(() => vi.unstubAllGlobals());

test("what is meant last is done last: a change waits for the answer of the one before", async () => {
  const sent = slow();
  const first = setTask("t1", "open");
  const second = setTask("t1", "done");
  await settled();
  expect(sent.map(({ what }) => what)).toEqual(['PATCH /tasks/t1 {"status":"open"}']);
  sent[0]?.answer(503);
  await expect(first).rejects.toThrow();
  await settled();
  expect(sent.map(({ what }) => what)[1]).toBe('PATCH /tasks/t1 {"status":"done"}');
  sent[1]?.answer(200);
  await expect(second).rejects.toThrow(); // "{}" is no task
});

test("a note comes back from the bin after it went there", async () => {
  const sent = slow();
  const both = Promise.all([deleteNote("n1"), restoreNote("n1")]);
  await settled();
  expect(sent.map(({ what }) => what.trim())).toEqual(["DELETE /notes/n1"]);
  sent[0]?.answer(204);
  await settled();
  expect(sent.map(({ what }) => what.trim())[1]).toBe("POST /notes/n1/restore");
  sent[1]?.answer(204);
  await both;
});

test("other things, and whoever only looks, wait for nothing", async () => {
  const sent = slow();
  void setTask("t1", "done").catch(() => undefined);
  void setTask("t2", "done").catch(() => undefined);
  void getNote("t1").catch(() => undefined);
  await settled();
  expect(sent).toHaveLength(3);
});

test("each is answered with its own answer, however many wait", async () => {
  const order: number[] = [];
  const all = [1, 2, 3, 4].map((n) =>
    inTurn("a thing", async () => {
      await settled();
      order.push(n);
      if (n === 2) throw new Error("two");
      return n;
    }).catch((error: unknown) => String(error)),
  );
  expect(await Promise.all(all)).toEqual([1, "Error: two", 3, 4]);
  expect(order).toEqual([1, 2, 3, 4]);
});
