/** What the server's document promises of the other rooms fits what we read; checked by tsc, as fit.test.ts is. */
import { expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { DeadLetter, Deed } from "./activity";
import type { AgentChoice, AgentsAnswer } from "./agents";
import type { ApprovalAnswer, ApprovalPage, ApprovalWithDiff } from "./approval";
import type { components } from "./generated/api";
import type { components as chat } from "./generated/chat";
import type { McpServerAnswer, McpServerPage, NewMcpServer } from "./mcp";
import type {
  CanaryAnswer,
  ChangedAnswer,
  ForgottenAnswer,
  MemoryPage,
  ReceiptPage,
  RevisionPage,
} from "./memory";
import type { RoutineAnswer, RoutineChange, RoutinePage } from "./routine";

type Api = components["schemas"];

it("reads every answer that the server gives", () => {
  expectTypeOf<Api["ApprovalsAnswer"]>().toExtend<z.input<typeof ApprovalPage>>();
  expectTypeOf<Api["ApprovalAnswer"]>().toExtend<z.input<typeof ApprovalAnswer>>();
  expectTypeOf<Api["ApprovalWithDiff"]>().toExtend<z.input<typeof ApprovalWithDiff>>();
  expectTypeOf<Api["RoutinesAnswer"]>().toExtend<z.input<typeof RoutinePage>>();
  expectTypeOf<Api["RoutineAnswer"]>().toExtend<z.input<typeof RoutineAnswer>>();
  expectTypeOf<Api["Activity"]>().toExtend<z.input<typeof Deed>>();
  expectTypeOf<Api["DeadLetter"]>().toExtend<z.input<typeof DeadLetter>>();
  expectTypeOf<Api["AgentsAnswer"]>().toExtend<z.input<typeof AgentsAnswer>>();
  expectTypeOf<Api["McpServersAnswer"]>().toExtend<z.input<typeof McpServerPage>>();
  expectTypeOf<Api["McpServerAnswer"]>().toExtend<z.input<typeof McpServerAnswer>>();
  expectTypeOf<Api["MemoriesAnswer"]>().toExtend<z.input<typeof MemoryPage>>();
  expectTypeOf<Api["ChangedAnswer"]>().toExtend<z.input<typeof ChangedAnswer>>();
  expectTypeOf<Api["ForgottenAnswer"]>().toExtend<z.input<typeof ForgottenAnswer>>();
  expectTypeOf<Api["CanaryAnswer"]>().toExtend<z.input<typeof CanaryAnswer>>();
  expectTypeOf<Api["RevisionsAnswer"]>().toExtend<z.input<typeof RevisionPage>>();
  expectTypeOf<Api["ReceiptsAnswer"]>().toExtend<z.input<typeof ReceiptPage>>();
});

it("asks only for what the server takes", () => {
  expectTypeOf<{ changes: Record<string, unknown> | null }>().toExtend<Api["Approved"]>();
  expectTypeOf<{ reason: string | null }>().toExtend<Api["Rejected"]>();
  expectTypeOf<RoutineChange>().toExtend<Api["RoutineChange"]>();
  expectTypeOf<AgentChoice>().toExtend<Api["AgentChoice"]>();
  expectTypeOf<NewMcpServer>().toExtend<Api["NewMcpServer"]>();
  expectTypeOf<{ tools: string[] }>().toExtend<Api["ApprovedTools"]>();
  expectTypeOf<{ fact: string }>().toExtend<Api["Corrected"]>();
  expectTypeOf<{ revision_id: string }>().toExtend<Api["Back"]>();
  expectTypeOf<{ text: string }>().toExtend<Api["Answered"]>();
  expectTypeOf<{ kind: "agent_task"; input: { question: string; note_ids: string[] } }>().toExtend<
    Api["functions__api__operations__NewTask"]
  >();
  expectTypeOf<{ incognito: boolean }>().toExtend<chat["schemas"]["NewSession"]>();
});
