export interface paths {
    "/api/v1/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description The feed, newest first; with `q`, the notes that hold any of the words, best first and in one page.
         */
        get: operations["page_api_v1_notes_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notes/{note_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One note, in the bin or not.
         */
        get: operations["one_api_v1_notes__note_id__get"];
        put?: never;
        post?: never;
        /**
         * Discard
         * @description Move a note to the bin.
         */
        delete: operations["discard_api_v1_notes__note_id__delete"];
        options?: never;
        head?: never;
        /**
         * Change
         * @description Edit a note; what is left out stays.
         */
        patch: operations["change_api_v1_notes__note_id__patch"];
        trace?: never;
    };
    "/api/v1/notes/{note_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore
         * @description Bring a note back from the bin.
         */
        post: operations["restore_api_v1_notes__note_id__restore_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notes/{note_id}/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrich
         * @description Ask for enrichment once more.
         */
        post: operations["enrich_api_v1_notes__note_id__enrich_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notes/{note_id}/research": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Research
         * @description Ask for a researched report now.
         */
        post: operations["research_api_v1_notes__note_id__research_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description Tasks, newest first.
         */
        get: operations["page_api_v1_tasks_get"];
        put?: never;
        /**
         * Add
         * @description Add a task.
         */
        post: operations["add_api_v1_tasks_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change
         * @description Change a task.
         */
        patch: operations["change_api_v1_tasks__task_id__patch"];
        trace?: never;
    };
    "/api/v1/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description Operations, newest first; `status=active` means all that have not ended.
         */
        get: operations["page_api_v1_operations_get"];
        put?: never;
        /**
         * Start
         * @description Start long work.
         */
        post: operations["start_api_v1_operations_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/{operation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One operation.
         */
        get: operations["one_api_v1_operations__operation_id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/{operation_id}/cancel": {
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
         * @description Stop it; one that has ended is answered as it is.
         */
        post: operations["cancel_api_v1_operations__operation_id__cancel_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/{operation_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry
         * @description Start the same work anew, as a new operation, on the note as it is now.
         */
        post: operations["retry_api_v1_operations__operation_id__retry_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/{operation_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events
         * @description The log after a number: a page of JSON, or a live stream where `text/event-stream` is asked for.
         */
        get: operations["events_api_v1_operations__operation_id__events_get"];
        put?: never;
        post?: never;
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
         * Cancelled
         * @description A person, or a wait that ran out, ended it.
         */
        Cancelled: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.cancelled";
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
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "citations";
            /** Citations */
            citations: components["schemas"]["Citation"][];
        };
        /**
         * Completed
         * @description It ended with a result.
         */
        Completed: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.completed";
            /** Output */
            output: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /**
         * Edit
         * @description What a person changes of a note; what is left out stays, and null empties what may be empty.
         */
        Edit: {
            /** Title */
            title?: string | null;
            /** Body */
            body?: string | null;
            /** Summary */
            summary?: string | null;
            /** Url */
            url?: string | null;
            /** Tags */
            tags?: string[] | null;
            origin?: components["schemas"]["Origin"] | null;
        };
        /**
         * Enrichment
         * @description How far enrichment got, and what of the tags came from it.
         */
        Enrichment: {
            /**
             * Status
             * @default none
             * @enum {string}
             */
            status?: "pending" | "enriched" | "failed" | "none";
            /** Error */
            error?: string | null;
            /**
             * Attempts
             * @default 0
             */
            attempts?: number;
            /**
             * Tags
             * @default []
             */
            tags?: string[];
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
         * EventsAnswer
         * @description A piece of an operation's log.
         */
        EventsAnswer: {
            /** Events */
            events: (components["schemas"]["Started"] | components["schemas"]["shared__events__operation__Thinking"] | components["schemas"]["ToolCalled"] | components["schemas"]["ToolAnswered"] | components["schemas"]["Streaming"] | components["schemas"]["Progressed"] | components["schemas"]["Completed"] | components["schemas"]["Failed"] | components["schemas"]["Cancelled"])[];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Failed
         * @description It ended without one.
         */
        Failed: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.failed";
            /** Error Code */
            error_code: string;
            /** Error Message */
            error_message: string;
        };
        /**
         * Failure
         * @description Why an operation ended without a result.
         */
        Failure: {
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
        JsonValue: unknown;
        /**
         * NewOperation
         * @description Long work to start.
         */
        NewOperation: {
            /**
             * Kind
             * @constant
             */
            kind: "deep_research";
            input: components["schemas"]["NoteChoice"];
        };
        /**
         * NewTask
         * @description A task to add.
         */
        NewTask: {
            /** Title */
            title: string;
            /**
             * Tags
             * @default []
             */
            tags?: string[];
            /** Source Note Id */
            source_note_id?: string | null;
        };
        /**
         * Note
         * @description A note as stored: `body` is the beginning only where `body_parts` is above zero.
         */
        Note: {
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
             * Kind
             * @enum {string}
             */
            kind: "capture" | "link" | "research" | "digest" | "review" | "thesis";
            /** Body */
            body: string;
            /** Title */
            title?: string | null;
            /** Summary */
            summary?: string | null;
            /** Url */
            url?: string | null;
            /**
             * Tags
             * @default []
             */
            tags?: string[];
            /**
             * Source
             * @default api
             * @enum {string}
             */
            source?: "web" | "cli" | "api" | "import";
            /** Source Note Id */
            source_note_id?: string | null;
            /**
             * Task Ids
             * @default []
             */
            task_ids?: string[];
            /**
             * @default {
             *       "status": "none",
             *       "attempts": 0,
             *       "tags": []
             *     }
             */
            enrichment?: components["schemas"]["Enrichment"];
            /**
             * @default {
             *       "requested": false
             *     }
             */
            research?: components["schemas"]["ResearchState"];
            /**
             * Citations
             * @default []
             */
            citations?: components["schemas"]["Citation"][];
            /** Deleted At */
            deleted_at?: string | null;
            /**
             * Body Parts
             * @default 0
             */
            body_parts?: number;
            /**
             * Body Version
             * @default 0
             */
            body_version?: number;
            origin?: components["schemas"]["Origin"] | null;
        };
        /**
         * NoteAnswer
         * @description A note.
         */
        NoteAnswer: {
            note: components["schemas"]["Note"];
        };
        /**
         * NoteChoice
         * @description Which note to research.
         */
        NoteChoice: {
            /** Note Id */
            note_id: string;
        };
        /**
         * NoteWithTrace
         * @description A note, whole, with what happened to it.
         */
        NoteWithTrace: {
            note: components["schemas"]["Note"];
            /** Trace */
            trace: (components["schemas"]["User"] | components["schemas"]["Text"] | components["schemas"]["shared__events__trace__Thinking"] | components["schemas"]["ToolCall"] | components["schemas"]["ToolResult"] | components["schemas"]["Citations"] | components["schemas"]["shared__events__trace__Usage"] | components["schemas"]["Error"])[];
        };
        /**
         * NotesAnswer
         * @description A page of notes; each body is cut to its first lines.
         */
        NotesAnswer: {
            /** Notes */
            notes: components["schemas"]["Note"][];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Operation
         * @description Long work on record. Every change of `status` goes through shared/research/transition.py.
         */
        Operation: {
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
             * Kind
             * @enum {string}
             */
            kind: "deep_research" | "agent_task" | "memory_generation" | "routine";
            /**
             * Status
             * @enum {string}
             */
            status: "created" | "queued" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
            input: components["schemas"]["ResearchInput"];
            /** Source Note Id */
            source_note_id?: string | null;
            /** Result Note Id */
            result_note_id?: string | null;
            /**
             * Events
             * @default 0
             */
            events?: number;
            /** Execution */
            execution?: string | null;
            /** Intent At */
            intent_at?: string | null;
            /** Interaction Id */
            interaction_id?: string | null;
            /**
             * Remote Open
             * @default false
             */
            remote_open?: boolean;
            /**
             * Attempts
             * @default 0
             */
            attempts?: number;
            /**
             * Troubles
             * @default 0
             */
            troubles?: number;
            /**
             * Refusals
             * @default 0
             */
            refusals?: number;
            /**
             * @default {
             *       "percent": 0,
             *       "message": ""
             *     }
             */
            progress?: components["schemas"]["Progress"];
            /**
             * @default {
             *       "tokens": 0,
             *       "cost_usd": 0
             *     }
             */
            usage?: components["schemas"]["shared__models__operation__Usage"];
            /**
             * Estimated Usd
             * @default 0
             */
            estimated_usd?: number;
            /** Budget Day */
            budget_day?: string | null;
            /** Started At */
            started_at?: string | null;
            /** Deadline At */
            deadline_at?: string | null;
            /** Output */
            output?: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /** Partial */
            partial?: string | null;
            error?: components["schemas"]["Failure"] | null;
        };
        /**
         * OperationAnswer
         * @description An operation.
         */
        OperationAnswer: {
            operation: components["schemas"]["Operation"];
        };
        /**
         * OperationsAnswer
         * @description A page of operations.
         */
        OperationsAnswer: {
            /** Operations */
            operations: components["schemas"]["Operation"][];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Origin
         * @description Where an imported note came from, so that it can go back out as it came in.
         */
        Origin: {
            /** Path */
            path: string;
            /**
             * Front Matter
             * @default
             */
            front_matter?: string;
            /** Content Sha256 */
            content_sha256: string;
        };
        /**
         * Progress
         * @description What a running operation is doing, for one glance.
         */
        Progress: {
            /**
             * Percent
             * @default 0
             */
            percent?: number;
            /**
             * Message
             * @default
             */
            message?: string;
            /** Next Look At */
            next_look_at?: string | null;
        };
        /**
         * Progressed
         * @description Queued, waiting, going on, or further.
         */
        Progressed: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.progress";
            /** Percent */
            percent: number;
            /** Message */
            message: string;
        };
        /**
         * ResearchInput
         * @description What a research run set out with; later edits of the note don't reach it.
         */
        ResearchInput: {
            /** Note Id */
            note_id: string;
            /** Question */
            question: string;
            /**
             * Urls
             * @default []
             */
            urls?: string[];
        };
        /**
         * ResearchState
         * @description What research was asked of this note, and the run that answers.
         */
        ResearchState: {
            /**
             * Requested
             * @default false
             */
            requested?: boolean;
            /** Status */
            status?: ("queued" | "running" | "completed" | "failed" | "cancelled") | null;
            /** Operation Id */
            operation_id?: string | null;
            /** Error */
            error?: string | null;
        };
        /**
         * Started
         * @description The operation got a slot and runs.
         */
        Started: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.started";
        };
        /**
         * Streaming
         * @description A piece of the answer, stored at most once a second.
         */
        Streaming: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.streaming";
            /** Chunk */
            chunk: string;
        };
        /**
         * Task
         * @description Something to do, found in a note or written by the user.
         */
        Task: {
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
            /** Title */
            title: string;
            /**
             * Status
             * @default open
             * @enum {string}
             */
            status?: "open" | "done" | "dropped";
            /**
             * Tags
             * @default []
             */
            tags?: string[];
            /** Source Note Id */
            source_note_id?: string | null;
        };
        /**
         * TaskAnswer
         * @description A task.
         */
        TaskAnswer: {
            task: components["schemas"]["Task"];
        };
        /**
         * TaskChange
         * @description What changes of a task; what is left out, or null, stays.
         */
        TaskChange: {
            /** Title */
            title?: string | null;
            /** Status */
            status?: ("open" | "done" | "dropped") | null;
            /** Tags */
            tags?: string[] | null;
        };
        /**
         * TasksAnswer
         * @description A page of tasks.
         */
        TasksAnswer: {
            /** Tasks */
            tasks: components["schemas"]["Task"][];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Text
         * @description Model text.
         */
        Text: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            /** Text */
            text: string;
        };
        /**
         * ToolAnswered
         * @description What the tool answered.
         */
        ToolAnswered: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.tool_result";
            /** Tool Name */
            tool_name: string;
            /** Output */
            output: {
                [key: string]: components["schemas"]["JsonValue"];
            };
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
        };
        /**
         * ToolCalled
         * @description A tool is about to run.
         */
        ToolCalled: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.tool_call";
            /** Tool Name */
            tool_name: string;
            /** Input */
            input: {
                [key: string]: components["schemas"]["JsonValue"];
            };
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
         * Thinking
         * @description A thought of the agent or the service.
         */
        shared__events__operation__Thinking: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /** Task Id */
            task_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event: "task.thinking";
            /** Message */
            message: string;
        };
        /**
         * Thinking
         * @description A thought summary.
         */
        shared__events__trace__Thinking: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "thinking";
            /** Text */
            text: string;
        };
        /**
         * Usage
         * @description What it used.
         */
        shared__events__trace__Usage: {
            /** Seq */
            seq: number;
            /** At */
            at: string;
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
         * Usage
         * @description What has been used so far.
         */
        shared__models__operation__Usage: {
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    page_api_v1_notes_get: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
                kind?: ("capture" | "link" | "research" | "digest" | "review" | "thesis") | null;
                tag?: string | null;
                q?: string | null;
                deleted?: boolean;
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
                    "application/json": components["schemas"]["NotesAnswer"];
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
    one_api_v1_notes__note_id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                note_id: string;
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
                    "application/json": components["schemas"]["NoteWithTrace"];
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
    discard_api_v1_notes__note_id__delete: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string | null;
            };
            path: {
                note_id: string;
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
                    "application/json": components["schemas"]["NoteAnswer"];
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
    change_api_v1_notes__note_id__patch: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string | null;
            };
            path: {
                note_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Edit"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteAnswer"];
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
    restore_api_v1_notes__note_id__restore_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                note_id: string;
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
                    "application/json": components["schemas"]["NoteAnswer"];
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
    enrich_api_v1_notes__note_id__enrich_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                note_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteAnswer"];
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
    research_api_v1_notes__note_id__research_post: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path: {
                note_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
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
    page_api_v1_tasks_get: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
                status?: ("open" | "done" | "dropped") | null;
                source_note_id?: string | null;
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
                    "application/json": components["schemas"]["TasksAnswer"];
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
    add_api_v1_tasks_post: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTask"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskAnswer"];
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
    change_api_v1_tasks__task_id__patch: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string | null;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskAnswer"];
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
    page_api_v1_operations_get: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
                status?: (("created" | "queued" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled") | "active")[] | null;
                kind?: ("deep_research" | "agent_task" | "memory_generation" | "routine") | null;
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
                    "application/json": components["schemas"]["OperationsAnswer"];
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
    start_api_v1_operations_post: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOperation"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
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
    one_api_v1_operations__operation_id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operation_id: string;
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
                    "application/json": components["schemas"]["OperationAnswer"];
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
    cancel_api_v1_operations__operation_id__cancel_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operation_id: string;
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
                    "application/json": components["schemas"]["OperationAnswer"];
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
    retry_api_v1_operations__operation_id__retry_post: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path: {
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
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
    events_api_v1_operations__operation_id__events_get: {
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
                operation_id: string;
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
                    "application/json": components["schemas"]["EventsAnswer"];
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
