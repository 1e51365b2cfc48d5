/** What an agent task found, as shared/models/result.py writes it; checked here again before it is shown. */
import * as z from "zod";
import { maybe } from "./maybe";

const Percent = maybe(z.int().min(0).max(100));
const Strings = z.array(z.string()).default([]);

export const Source = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  note_id: maybe(z.string()),
});
export type Source = z.infer<typeof Source>;

export const Claim = z.object({
  claim: z.string().min(1),
  confidence: Percent,
  evidence: Strings,
  sources: Strings,
  /** No source that was read is named for it. */
  unsupported: z.boolean().default(false),
});
export type Claim = z.infer<typeof Claim>;

const common = { title: z.string().min(1), sources: Strings };
const even = (width: number, rows: unknown[][]) => rows.every((row) => row.length === width);

export const Artifact = z.discriminatedUnion("kind", [
  z
    .object({
      ...common,
      kind: z.literal("table"),
      columns: z.array(z.string()).min(1),
      rows: z.array(z.array(z.string())).min(1),
    })
    .refine(({ columns, rows }) => even(columns.length, rows)),
  z.object({
    ...common,
    kind: z.literal("timeline"),
    events: z.array(z.object({ at: z.string(), text: z.string() })).min(1),
  }),
  z.object({ ...common, kind: z.literal("list"), items: z.array(z.string()).min(1) }),
  z
    .object({
      ...common,
      kind: z.literal("comparison"),
      subjects: z.array(z.string()).min(2),
      aspects: z.array(z.object({ name: z.string(), values: z.array(z.string()) })).min(1),
    })
    .refine(({ subjects, aspects }) =>
      even(
        subjects.length,
        aspects.map(({ values }) => values),
      ),
    ),
]);
export type Artifact = z.infer<typeof Artifact>;

export const SCHEMA = "memex.agent_task/1";

export const Result = z.object({
  schema: z.literal(SCHEMA),
  summary: z.string().min(1),
  claims: z.array(Claim),
  sources: z.array(Source),
  risks: Strings,
  companies: z.array(z.object({ ticker: z.string(), name: maybe(z.string()) })).default([]),
  themes: Strings,
  portfolio_impact: Strings,
  confidence: Percent,
  artifacts: z.array(Artifact).default([]),
  /** What a reader should distrust. */
  flags: Strings,
});
export type Result = z.infer<typeof Result>;
