/** What the chat's and the settings' own documents promise fits what we read; checked by tsc, as fit.test.ts is. */
import { expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { ChatEvent, ChatSession, Decision, SessionAnswer, SessionPage, Undo } from "./chat";
import type { components as api } from "./generated/api";
import type { components as chat } from "./generated/chat";
import type { Name, Settings, SettingsAnswer, Tool } from "./settings";

type Chat = chat["schemas"];
type Api = api["schemas"];
type Choices = Api["Choices"];

it("reads every answer that the chat gives", () => {
  expectTypeOf<Chat["ChatSession"]>().toExtend<z.input<typeof ChatSession>>();
  expectTypeOf<Chat["SessionAnswer"]>().toExtend<z.input<typeof SessionAnswer>>();
  expectTypeOf<Chat["SessionsAnswer"]>().toExtend<z.input<typeof SessionPage>>();
  expectTypeOf<Chat["TraceAnswer"]["events"][number]>().toExtend<z.input<typeof ChatEvent>>();
  expectTypeOf<NonNullable<Chat["ToolResult"]["undo"]>>().toExtend<z.input<typeof Undo>>();
});

it("asks only for what the chat takes", () => {
  expectTypeOf<{ text: string }>().toExtend<Chat["Message"]>();
  expectTypeOf<{ decision: Decision }>().toExtend<Chat["Word"]>();
  expectTypeOf<{ title: string }>().toExtend<Chat["Renamed"]>();
  expectTypeOf<{ seq: number }>().toExtend<Chat["Undone"]>();
});

it("knows the settings as the server does", () => {
  expectTypeOf<Api["SettingsAnswer"]>().toExtend<z.input<typeof SettingsAnswer>>();
  expectTypeOf<Api["ToolEntry"]>().toExtend<z.input<typeof Tool>>();
  expectTypeOf<Partial<{ [N in Name]: Settings[N] | null }>>().toExtend<Choices>();
});
