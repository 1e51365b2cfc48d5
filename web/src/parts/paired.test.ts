import { expect, it } from "vitest";
import { paired } from "./paired";

const told = (log: string) =>
  paired(
    log.split(" "),
    (one) => (one.startsWith("?") ? one.slice(1, 2) : null),
    (one) => (one.startsWith("!") ? one.slice(1, 2) : null),
  )
    .map(({ event, answer }) => event + (answer ?? ""))
    .join(" ");

it("puts each answer to its call, the oldest first, and leaves everything else in its place", () => {
  expect(told("x ?a !a y")).toBe("x ?a!a y");
  expect(told("?a ?b !b !a")).toBe("?a!a ?b!b");
  expect(told("?a1 ?a2 !a1 !a2 ?a3")).toBe("?a1!a1 ?a2!a2 ?a3");
  expect(told("!a ?a")).toBe("!a ?a");
});
