/** What the server's own documents promise fits what we read; checked by tsc, so this file hardly runs. */
import { expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { components } from "./generated/api";
import type { components as capture } from "./generated/capture";
import type { OperationEvent } from "./event";
import type { Note, NoteAnswer, NotePage } from "./note";
import type { Operation, OperationAnswer, OperationPage } from "./operation";
import type { Captured, Changes } from "./server";
import type { TaskAnswer, TaskPage } from "./task";
import type { NoteWithTrace, TraceEvent } from "./trace";

type Api = components["schemas"];
type Capture = capture["schemas"];

it("reads every answer that the server gives", () => {
  expectTypeOf<Api["Note"]>().toExtend<z.input<typeof Note>>();
  expectTypeOf<Api["NoteAnswer"]>().toExtend<z.input<typeof NoteAnswer>>();
  expectTypeOf<Capture["NoteAnswer"]>().toExtend<z.input<typeof NoteAnswer>>();
  expectTypeOf<Api["NotesAnswer"]>().toExtend<z.input<typeof NotePage>>();
  expectTypeOf<Api["NoteWithTrace"]>().toExtend<z.input<typeof NoteWithTrace>>();
  // What belongs to a turn of the chat is in no note's trace; a kind that is not known is skipped.
  interface OfTurns {
    type: "context" | "recall" | "approval_request";
  }
  expectTypeOf<Exclude<Api["NoteWithTrace"]["trace"][number], OfTurns>>().toExtend<
    z.input<typeof TraceEvent>
  >();
  expectTypeOf<Api["Operation"]>().toExtend<z.input<typeof Operation>>();
  expectTypeOf<Api["OperationAnswer"]>().toExtend<z.input<typeof OperationAnswer>>();
  expectTypeOf<Api["OperationsAnswer"]>().toExtend<z.input<typeof OperationPage>>();
  expectTypeOf<Api["EventsAnswer"]["events"][number]>().toExtend<z.input<typeof OperationEvent>>();
  expectTypeOf<Api["TasksAnswer"]>().toExtend<z.input<typeof TaskPage>>();
  expectTypeOf<Api["TaskAnswer"]>().toExtend<z.input<typeof TaskAnswer>>();
});

it("asks only for what the server takes", () => {
  expectTypeOf<Captured>().toExtend<Capture["Capture"]>();
  expectTypeOf<Changes>().toExtend<Api["Edit"]>();
});
