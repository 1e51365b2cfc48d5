/** A screen shows both halves of an error: what happened, and what to do. */
import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import { Problem } from "../api/problem";
import { ProblemNote } from "./ProblemNote";

async function shown(problem: Problem): Promise<string> {
  const { prelude } = await prerender(<ProblemNote problem={problem} />);
  return new Response(prelude).text();
}

it.each([
  Problem.told(409, { error: { code: "x", message: "What happened.", next: "What to do." } }),
  Problem.told(500, "<html>"),
  Problem.unreached(),
  Problem.unreadable(),
  Problem.from(new TypeError("x is undefined")),
])("an error of any origin is shown with its way on: %s", async (problem) => {
  const page = await shown(problem);
  expect(problem.message).not.toBe("");
  expect(problem.next).not.toBe("");
  for (const half of [problem.message, problem.next]) expect(page).toContain(half);
});

it("what has no way on says what happened, and no more", async () => {
  const page = await shown(
    Problem.told(409, { error: { code: "x", message: "What happened.", next: null } }),
  );
  expect(page.replace(/<[^>]*>/g, "")).toBe("What happened.");
});
