import { expect, it } from "vitest";
import { Settings } from "../api/settings";
import { GROUPS, linesIn, told } from "./rows";

const settings: Settings = {
  model: "",
  use_tools: true,
  approve_tools: false,
  think: false,
  egress_enabled: false,
  allowed_hosts: ["example.org", "*.example.net"],
  max_iterations: 1,
  turn_timeout_seconds: 300,
  time_zone: "UTC",
};

it("every setting has a row, and every row reads in words", () => {
  const rows = GROUPS.flatMap((group) => group.rows);
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(Settings.shape).sort());
  const words = Object.fromEntries(rows.map((row) => [row.name, told(row, settings)]));
  expect(words).toEqual({
    model: "the deployment’s own",
    use_tools: "on",
    approve_tools: "off",
    think: "off",
    egress_enabled: "off",
    allowed_hosts: "example.org, *.example.net",
    max_iterations: "1 round",
    turn_timeout_seconds: "300 seconds",
    time_zone: "UTC",
  });
});

it("hosts are read one a line", () =>
  expect(linesIn(" a.org\n\n*.b.org , c.org\n")).toEqual(["a.org", "*.b.org", "c.org"]));
