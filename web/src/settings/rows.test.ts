import { expect, it } from "vitest";
import { Settings } from "../api/settings";
import { AGENT_ROWS, GROUPS, linesIn, MEMORY_ROW, told } from "./rows";

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
  agent_mode: "multi",
  accuracy_mode: "accurate",
  human_gate: false,
  verifier_check: true,
  gate_hours: 24,
  memory_enabled: false,
  max_running: 2,
  task_timeout_seconds: 300,
  operation_budget_usd: 5.5,
  operation_budget_tokens: 200_000,
  daily_budget_usd: 10,
  daily_paid_runs: 1,
  research_engine: "local",
};

it("every setting has a row, and every row reads in words", () => {
  const rows = [...GROUPS.flatMap((group) => group.rows), ...AGENT_ROWS, MEMORY_ROW];
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
    agent_mode: "several agents",
    accuracy_mode: "accurate",
    human_gate: "off",
    verifier_check: "on",
    gate_hours: "24 hours",
    memory_enabled: "off",
    max_running: "2 pieces",
    task_timeout_seconds: "300 seconds",
    operation_budget_usd: "5.5 dollars",
    operation_budget_tokens: "200,000 tokens",
    daily_budget_usd: "10 dollars",
    daily_paid_runs: "1 run",
    research_engine: "own agents",
  });
});

it("hosts are read one a line", () =>
  expect(linesIn(" a.org\n\n*.b.org , c.org\n")).toEqual(["a.org", "*.b.org", "c.org"]));
