export interface paths {
    "/api/v1/chat/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description My conversations, newest first.
         */
        get: operations["page_api_v1_chat_sessions_get"];
        put?: never;
        /**
         * Begin
         * @description Begin a conversation.
         */
        post: operations["begin_api_v1_chat_sessions_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description A conversation with the last of its trace, or with what came before event `earlier`.
         */
        get: operations["one_api_v1_chat_sessions__session_id__get"];
        put?: never;
        post?: never;
        /**
         * Delete
         * @description Delete a conversation for good; the notes and tasks that it made stay.
         */
        delete: operations["delete_api_v1_chat_sessions__session_id__delete"];
        options?: never;
        head?: never;
        /**
         * Rename
         * @description Give a conversation another title.
         */
        patch: operations["rename_api_v1_chat_sessions__session_id__patch"];
        trace?: never;
    };
    "/api/v1/chat/sessions/{session_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events
         * @description The trace after a number: a page of JSON, or what is stored as it comes where a stream is asked for.
         */
        get: operations["events_api_v1_chat_sessions__session_id__events_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/sessions/{session_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo
         * @description Take back a change that a tool made.
         */
        post: operations["undo_api_v1_chat_sessions__session_id__undo_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/sessions/{session_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say
         * @description Say something; the answer comes as server-sent events, or whole where JSON is asked for.
         */
        post: operations["say_api_v1_chat_sessions__session_id__messages_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/{run_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume
         * @description Decide about what waits, or have an interrupted run of several agents go on; a stream, or whole as JSON.
         *
         *     What can be decided is what the run waits for, and not what the request says: a tool call or an answer is approved
         *     or rejected, a host is allowed once, always, or not. `more_info` decides nothing, and tells the arguments again.
         */
        post: operations["resume_api_v1_chat__run_id__resume_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel
         * @description Stop a turn; one that has ended is answered as it is.
         */
        post: operations["cancel_api_v1_chat__run_id__cancel_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * ApprovalRequest
         * @description The turn waits for a person's word: on a tool call, on a host, on the answer. Secrets in arguments are masked.
         */
        ApprovalRequest: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval_request";
            /** Run Id */
            run_id: string;
            /**
             * Reason
             * @enum {string}
             */
            reason: "approve_tool" | "egress_approval" | "approve_answer";
            /**
             * Tool
             * @default
             */
            tool?: string;
            /**
             * Call Id
             * @default
             */
            call_id?: string;
            /**
             * Arguments
             * @default {}
             */
            arguments?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * Why
             * @default
             */
            why?: string;
            /**
             * Blocked Host
             * @default
             */
            blocked_host?: string;
            /**
             * Answer
             * @default
             */
            answer?: string;
            /**
             * Links
             * @default []
             */
            links?: string[];
            /**
             * Critique
             * @default
             */
            critique?: string;
            /** Expires At */
            expires_at: string;
        };
        /**
         * ChatSession
         * @description A conversation; its events are documents below it.
         */
        ChatSession: {
            /** Id */
            id: string;
            /** Created At */
            created_at: string;
            /** Updated At */
            updated_at: string;
            /**
             * Revision
             * @default 1
             */
            revision?: number;
            /**
             * Subject
             * @default
             */
            subject?: string;
            /** Title */
            title?: string | null;
            turn?: components["schemas"]["Turn"] | null;
            /**
             * @default {
             *       "tokens": 0,
             *       "cost_usd": 0
             *     }
             */
            usage?: components["schemas"]["Spent"];
            /**
             * Incognito
             * @default false
             */
            incognito?: boolean;
            /**
             * Deleted
             * @default false
             */
            deleted?: boolean;
            /**
             * Summary
             * @default
             */
            summary?: string;
            /**
             * Summarised
             * @default 0
             */
            summarised?: number;
            /**
             * Outside Seq
             * @default 0
             */
            outside_seq?: number;
        };
        /**
         * Citation
         * @description A source that was really read, as the report numbers it.
         */
        Citation: {
            /** Number */
            number: number;
            /** Title */
            title: string;
            /** Url */
            url: string;
            /**
             * Source Kind
             * @default web
             * @enum {string}
             */
            source_kind?: "note" | "web";
            /** Note Id */
            note_id?: string | null;
            /** Quote */
            quote?: string | null;
        };
        /**
         * Citations
         * @description The sources of what was written.
         */
        Citations: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "citations";
            /** Citations */
            citations: components["schemas"]["Citation"][];
        };
        /**
         * Context
         * @description What the model was given beside the request: so far, the request as it is understood on its own.
         */
        Context: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "context";
            /** Text */
            text: string;
        };
        /**
         * Critique
         * @description What the critic said of a draft; it changes nothing in it. `checked`: it had looked facts up for itself.
         */
        Critique: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "critique";
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "ok" | "revise" | "replan";
            /** Text */
            text: string;
            /**
             * Checked
             * @default false
             */
            checked?: boolean;
            /**
             * Attempt
             * @default 1
             */
            attempt?: number;
        };
        /**
         * Error
         * @description What went wrong on the way.
         */
        Error: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
            /** Code */
            code: string;
            /** Message */
            message: string;
        };
        /**
         * ErrorAnswer
         * @description The one shape of every error.
         */
        ErrorAnswer: {
            error: components["schemas"]["ErrorBody"];
        };
        /**
         * ErrorBody
         * @description What went wrong: a stable code, what happened, what to do.
         */
        ErrorBody: {
            /** Code */
            code: string;
            /** Message */
            message: string;
            /**
             * Next
             * @default
             */
            next?: string;
        };
        /**
         * Evidence
         * @description What the sources found together before the answer was written; `text` says it in a sentence, misses included.
         */
        Evidence: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "evidence";
            /** Text */
            text: string;
            /** Passages */
            passages: components["schemas"]["Passage"][];
            /**
             * Nothing
             * @default []
             */
            nothing?: ("note" | "research" | "memory" | "web" | "mcp")[];
            /**
             * Failed
             * @default []
             */
            failed?: ("note" | "research" | "memory" | "web" | "mcp")[];
        };
        JsonValue: unknown;
        /**
         * Message
         * @description What a person says.
         */
        Message: {
            /** Text */
            text: string;
        };
        /**
         * NewSession
         * @description A conversation to begin.
         */
        NewSession: {
            /** Title */
            title?: string | null;
            /**
             * Incognito
             * @default false
             */
            incognito?: boolean;
        };
        /**
         * NoteChanged
         * @description A note was edited, made, or moved to the bin; `seq` is the change's first event in the note's trace.
         */
        NoteChanged: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "note_changed" | "note_created" | "note_deleted";
            /** Note Id */
            note_id: string;
            /**
             * Seq
             * @default 0
             */
            seq?: number;
        };
        /**
         * Passage
         * @description A passage of something that was really read.
         */
        Passage: {
            /**
             * Number
             * @default 0
             */
            number?: number;
            /** Title */
            title: string;
            /** Url */
            url: string;
            /** Text */
            text: string;
            /**
             * Source Kind
             * @enum {string}
             */
            source_kind: "note" | "research" | "memory" | "web" | "mcp";
            /** Note Id */
            note_id?: string | null;
            /**
             * Merged From
             * @default []
             */
            merged_from?: ("note" | "research" | "memory" | "web" | "mcp")[];
        };
        /**
         * Plan
         * @description What several agents set out to do; `attempt` counts from 1.
         */
        Plan: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "plan";
            /** Steps */
            steps: string[];
            /**
             * Sources
             * @default []
             */
            sources?: ("note" | "research" | "memory" | "web" | "mcp")[];
            /**
             * Attempt
             * @default 1
             */
            attempt?: number;
        };
        /**
         * Recall
         * @description What of earlier conversations the model was given, and what was kept out and why. It holds no fact.
         */
        Recall: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "recall";
            /** Text */
            text: string;
            /** Used */
            used: string[];
            /** Withheld */
            withheld: {
                [key: string]: string;
            };
            /** Receipt Id */
            receipt_id: string;
        };
        /**
         * Renamed
         * @description A conversation's new title.
         */
        Renamed: {
            /** Title */
            title: string;
        };
        /**
         * SessionAnswer
         * @description A conversation, with its trace where one was asked for; `next_cursor` leads to earlier events.
         */
        SessionAnswer: {
            session: components["schemas"]["ChatSession"];
            /**
             * Trace
             * @default []
             */
            trace?: (components["schemas"]["User"] | components["schemas"]["Text"] | components["schemas"]["Thinking"] | components["schemas"]["ToolCall"] | components["schemas"]["ToolResult"] | components["schemas"]["Context"] | components["schemas"]["Recall"] | components["schemas"]["Plan"] | components["schemas"]["Evidence"] | components["schemas"]["Critique"] | components["schemas"]["Verification"] | components["schemas"]["Citations"] | components["schemas"]["Usage"] | components["schemas"]["ApprovalRequest"] | components["schemas"]["Error"])[];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /**
         * SessionsAnswer
         * @description A page of conversations, without their traces.
         */
        SessionsAnswer: {
            /** Sessions */
            sessions: components["schemas"]["ChatSession"][];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Spent
         * @description What a conversation has used.
         */
        Spent: {
            /**
             * Tokens
             * @default 0
             */
            tokens?: number;
            /**
             * Cost Usd
             * @default 0
             */
            cost_usd?: number;
        };
        /**
         * StoppedAnswer
         * @description The session as it is now.
         */
        StoppedAnswer: {
            session: components["schemas"]["ChatSession"];
        };
        /**
         * TaskChanged
         * @description A task was changed; `before` and `after` hold the old and the new values of the fields that changed.
         */
        TaskChanged: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_changed";
            /** Task Id */
            task_id: string;
            /** Before */
            before: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * After
             * @default {}
             */
            after?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /**
         * TasksCreated
         * @description Tasks were added.
         */
        TasksCreated: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tasks_created";
            /** Task Ids */
            task_ids: string[];
        };
        /**
         * Text
         * @description Model text; `links` are the addresses in it that lead to something read, made, or typed by the person.
         *
         *     Only these may be drawn as links, in whatever form the text names them.
         */
        Text: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            /** Text */
            text: string;
            /**
             * Links
             * @default []
             */
            links?: string[];
        };
        /**
         * Thinking
         * @description A thought summary.
         */
        Thinking: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "thinking";
            /** Text */
            text: string;
            /**
             * Agent
             * @default
             */
            agent?: string;
        };
        /**
         * ToolCall
         * @description A tool was asked.
         */
        ToolCall: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call";
            /** Tool */
            tool: string;
            /** Arguments */
            arguments: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * Call Id
             * @default
             */
            call_id?: string;
            /**
             * Signature
             * @default
             */
            signature?: string;
            /**
             * Agent
             * @default
             */
            agent?: string;
        };
        /**
         * ToolResult
         * @description What the tool answered.
         */
        ToolResult: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_result";
            /** Tool */
            tool: string;
            /** Ok */
            ok: boolean;
            /** Result */
            result: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * Call Id
             * @default
             */
            call_id?: string;
            /** Undo */
            undo?: (components["schemas"]["NoteChanged"] | components["schemas"]["TasksCreated"] | components["schemas"]["TaskChanged"]) | null;
            /**
             * Sources
             * @default []
             */
            sources?: components["schemas"]["Citation"][];
            /**
             * Agent
             * @default
             */
            agent?: string;
        };
        /**
         * TraceAnswer
         * @description A piece of a conversation's trace.
         */
        TraceAnswer: {
            /** Events */
            events: (components["schemas"]["User"] | components["schemas"]["Text"] | components["schemas"]["Thinking"] | components["schemas"]["ToolCall"] | components["schemas"]["ToolResult"] | components["schemas"]["Context"] | components["schemas"]["Recall"] | components["schemas"]["Plan"] | components["schemas"]["Evidence"] | components["schemas"]["Critique"] | components["schemas"]["Verification"] | components["schemas"]["Citations"] | components["schemas"]["Usage"] | components["schemas"]["ApprovalRequest"] | components["schemas"]["Error"])[];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Turn
         * @description One question and all that follows from it; its id is the run's.
         */
        Turn: {
            /** Id */
            id: string;
            /**
             * Status
             * @enum {string}
             */
            status: "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
            /** Lease Until */
            lease_until: string;
            /** First Seq */
            first_seq: number;
            /**
             * Stopping
             * @default false
             */
            stopping?: boolean;
            /**
             * Outside
             * @default false
             */
            outside?: boolean;
        };
        /**
         * TurnAnswer
         * @description A whole turn: the session as it is after it, and the turn's events.
         */
        TurnAnswer: {
            session: components["schemas"]["ChatSession"];
            /** Events */
            events: (components["schemas"]["User"] | components["schemas"]["Text"] | components["schemas"]["Thinking"] | components["schemas"]["ToolCall"] | components["schemas"]["ToolResult"] | components["schemas"]["Context"] | components["schemas"]["Recall"] | components["schemas"]["Plan"] | components["schemas"]["Evidence"] | components["schemas"]["Critique"] | components["schemas"]["Verification"] | components["schemas"]["Citations"] | components["schemas"]["Usage"] | components["schemas"]["ApprovalRequest"] | components["schemas"]["Error"])[];
        };
        /**
         * Undone
         * @description Which change to take back: the number of the tool's result in the trace.
         */
        Undone: {
            /** Seq */
            seq: number;
        };
        /**
         * UndoneAnswer
         * @description What became of it.
         */
        UndoneAnswer: {
            /** Undone */
            undone: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /**
         * Usage
         * @description What it used.
         */
        Usage: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage";
            /** Tokens */
            tokens: number;
            /**
             * Cost Usd
             * @default 0
             */
            cost_usd?: number;
        };
        /**
         * User
         * @description A person wrote or changed something; `changes` maps a field to its value before and after.
         */
        User: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user";
            /** Text */
            text: string;
            /**
             * Changes
             * @default {}
             */
            changes?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /**
         * Verification
         * @description What the verifier said of a draft.
         */
        Verification: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * Turn
             * @default
             */
            turn?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "verification";
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "pass" | "needs_revision" | "fail";
            /** Reasons */
            reasons: string[];
            /**
             * Checked
             * @default false
             */
            checked?: boolean;
            /**
             * Attempt
             * @default 1
             */
            attempt?: number;
        };
        /**
         * Word
         * @description What a person decides about what waits; `continue` is for a run that was interrupted.
         */
        Word: {
            /**
             * Decision
             * @enum {string}
             */
            decision: "approve" | "reject" | "egress_allow_once" | "egress_allow_always" | "egress_deny" | "continue" | "more_info";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    page_api_v1_chat_sessions_get: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    begin_api_v1_chat_sessions_post: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewSession"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    one_api_v1_chat_sessions__session_id__get: {
        parameters: {
            query?: {
                limit?: number;
                earlier?: number | null;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    delete_api_v1_chat_sessions__session_id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    rename_api_v1_chat_sessions__session_id__patch: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string | null;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Renamed"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    events_api_v1_chat_sessions__session_id__events_get: {
        parameters: {
            query?: {
                after?: number;
                limit?: number;
            };
            header?: {
                accept?: string;
                "Last-Event-ID"?: string | null;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    undo_api_v1_chat_sessions__session_id__undo_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Undone"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoneAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    say_api_v1_chat_sessions__session_id__messages_post: {
        parameters: {
            query?: never;
            header?: {
                accept?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Message"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    resume_api_v1_chat__run_id__resume_post: {
        parameters: {
            query?: never;
            header?: {
                accept?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Word"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    cancel_api_v1_chat__run_id__cancel_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedAnswer"];
                };
            };
            /** @description Nobody we know */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description A field is wrong */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description Not set up */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
}
