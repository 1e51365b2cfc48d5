import { expect, it } from "vitest";
import { headersIn } from "./headers";

it("headers are read one a line, and what is none is told without being shown", () => {
  expect(headersIn("Authorization: Bearer a:b\n\n X-Key:1 ")).toEqual({
    headers: { Authorization: "Bearer a:b", "X-Key": "1" },
  });
  expect(headersIn("")).toEqual({ headers: {} });
  for (const wrong of ["secret", ": secret", "Name:"]) {
    expect(JSON.stringify(headersIn(wrong))).not.toContain("secret");
    expect(headersIn(wrong)).toHaveProperty("wrong");
  }
});
