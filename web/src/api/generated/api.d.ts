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
         *
         *     What goes on by itself beside every turn of chat (`memory_generation`) is left out, unless `upkeep` or its kind asks
         *     for it.
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
    "/api/v1/operations/{operation_id}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give
         * @description Answer what it asked; it goes on once a slot is free. The same answer twice is one answer.
         */
        post: operations["give_api_v1_operations__operation_id__input_post"];
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
         * @description Start the same work anew, as a new operation: research on the note as it is now, a task with its question.
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
    "/api/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read
         * @description The settings.
         */
        get: operations["read_api_v1_settings_get"];
        /**
         * Write
         * @description Change those that are named; null goes back to the deployment's default.
         */
        put: operations["write_api_v1_settings_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Config
         * @description The roster.
         */
        get: operations["config_api_v1_agents_config_get"];
        /**
         * Choose
         * @description Change the agents that are named; an empty prompt goes back to the default one.
         */
        put: operations["choose_api_v1_agents_config_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description Approvals, newest first, and what waits in my conversations.
         */
        get: operations["page_api_v1_approvals_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One approval, with the difference that it would make as things are.
         */
        get: operations["one_api_v1_approvals__approval_id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approval_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve
         * @description Do it, as proposed or with changed arguments; the answer says what came of it.
         */
        post: operations["approve_api_v1_approvals__approval_id__approve_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approval_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject
         * @description Don't do it.
         */
        post: operations["reject_api_v1_approvals__approval_id__reject_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approval_id}/undo": {
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
         * @description Take back what was approved and done.
         */
        post: operations["undo_api_v1_approvals__approval_id__undo_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/routines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description The routines that there are, switched on or not.
         */
        get: operations["page_api_v1_routines_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/routines/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs
         * @description Runs of all routines, those that were due last first.
         */
        get: operations["runs_api_v1_routines_runs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/routines/{routine}": {
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
         * Edit
         * @description Switch it on or off, move it, or resume it after a pause; what is left out stays.
         */
        patch: operations["edit_api_v1_routines__routine__patch"];
        trace?: never;
    };
    "/api/v1/routines/{routine}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run
         * @description Run it now, whether it is switched on or not.
         */
        post: operations["run_api_v1_routines__routine__run_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description What is remembered of me, and whether each may be used.
         */
        get: operations["page_api_v1_memories_get"];
        put?: never;
        post?: never;
        /**
         * Forget All
         * @description Forget everything that is remembered of me.
         */
        delete: operations["forget_all_api_v1_memories_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receipts
         * @description The proofs of what was done with my memories, and of each time that they were looked for.
         */
        get: operations["receipts_api_v1_memories_receipts_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories/canary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Canary
         * @description Try the memory service with a harmless fact of nobody's; one test at a time. 409 `canary_running` beside it.
         */
        post: operations["canary_api_v1_memories_canary_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Forget
         * @description Forget one memory.
         */
        delete: operations["forget_api_v1_memories__memory_id__delete"];
        options?: never;
        head?: never;
        /**
         * Edit
         * @description Correct a memory.
         */
        patch: operations["edit_api_v1_memories__memory_id__patch"];
        trace?: never;
    };
    "/api/v1/memories/{memory_id}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Revisions
         * @description What a memory said before.
         */
        get: operations["revisions_api_v1_memories__memory_id__revisions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories/{memory_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll Back
         * @description Bring an earlier revision back; later ones are dropped.
         */
        post: operations["roll_back_api_v1_memories__memory_id__rollback_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description Activity, newest first; with `session_id` that of one conversation.
         *
         *     All of the tenant's is listed, so that each can see what is done. The arguments of calls in another person's
         *     conversation are left out: they would tell what was said there.
         */
        get: operations["page_api_v1_activity_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description The built-in tools, in the order in which a model sees them.
         */
        get: operations["page_api_v1_tools_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description The servers, in the order in which they were added.
         */
        get: operations["page_api_v1_mcp_servers_get"];
        put?: never;
        /**
         * Add
         * @description Add a server and ask it what it offers; one that can't be asked is kept with the reason.
         */
        post: operations["add_api_v1_mcp_servers_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp/servers/{server_id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh
         * @description Ask it again what it offers.
         */
        post: operations["refresh_api_v1_mcp_servers__server_id__refresh_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp/servers/{server_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve
         * @description Approve exactly these tools, as they are listed; send the revision that was looked at as If-Match.
         */
        post: operations["approve_api_v1_mcp_servers__server_id__approve_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp/servers/{server_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Remove a server with its secrets.
         */
        delete: operations["remove_api_v1_mcp_servers__server_id__delete"];
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
         * Activity
         * @description One decision about one tool call, and how the call ended where it ran.
         */
        Activity: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "tool";
            /** Id */
            id: string;
            /** At */
            at: string;
            /** Subject */
            subject: string;
            /** Session Id */
            session_id: string;
            /** Run Id */
            run_id: string;
            /** Call Id */
            call_id: string;
            /** Tool */
            tool: string;
            /** Class */
            class: ("read" | "write" | "external" | "destructive") | null;
            /**
             * Decision
             * @enum {string}
             */
            decision: "allowed" | "asked" | "approved" | "denied" | "refused";
            /** Arguments */
            arguments: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** Ok */
            ok?: boolean | null;
            /**
             * Code
             * @default
             */
            code?: string;
            /**
             * Duration Ms
             * @default 0
             */
            duration_ms?: number;
        };
        /**
         * ActivityAnswer
         * @description A page of activity.
         */
        ActivityAnswer: {
            /** Activity */
            activity: (components["schemas"]["Activity"] | components["schemas"]["DeadLetter"])[];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * AddEvidence
         * @description Evidence for a thesis that is there.
         */
        AddEvidence: {
            /**
             * Note Id
             * @description The thesis.
             */
            note_id: string;
            /**
             * Stance
             * @enum {string}
             */
            stance: "for" | "against";
            /**
             * Text
             * @description What the source says.
             */
            text: string;
            /**
             * Source
             * @description The note's id, or the page's address.
             */
            source: string;
        };
        /**
         * AddEvidenceAction
         * @description Add evidence to a thesis.
         */
        AddEvidenceAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            tool: "add_evidence";
            arguments: components["schemas"]["AddEvidence"];
        };
        /**
         * AgentChoice
         * @description What a person chose for one agent; an empty prompt, or none, is the default one.
         */
        AgentChoice: {
            /** Name */
            name: string;
            /** Prompt */
            prompt?: string | null;
            /** Disabled Tools */
            disabled_tools?: string[] | null;
        };
        /**
         * AgentChoices
         * @description Choices for some of the agents; those that are not named stay as they are.
         */
        AgentChoices: {
            /** Agents */
            agents: components["schemas"]["AgentChoice"][];
        };
        /**
         * AgentEntry
         * @description One agent: what it does, what it is told by default, and what the tenant chose (null, where nothing).
         */
        AgentEntry: {
            /** Name */
            name: string;
            /** Does */
            does: string;
            /** Default Prompt */
            default_prompt: string;
            /** Prompt */
            prompt: string | null;
            /** Has Tools */
            has_tools: boolean;
            /** Disabled Tools */
            disabled_tools: string[];
        };
        /**
         * AgentInput
         * @description What an agent task set out with.
         */
        AgentInput: {
            /** Question */
            question: string;
            /**
             * Note Ids
             * @default []
             */
            note_ids?: string[];
        };
        /**
         * AgentsAnswer
         * @description All agents, in the order in which they work.
         */
        AgentsAnswer: {
            /** Agents */
            agents: components["schemas"]["AgentEntry"][];
        };
        /**
         * Answered
         * @description What a person says to an operation that waits for it.
         */
        Answered: {
            /** Text */
            text: string;
        };
        /**
         * Approval
         * @description A proposed action and what became of it. It stays `pending` until what was approved is done.
         */
        Approval: {
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
             * Status
             * @default pending
             * @enum {string}
             */
            status?: "pending" | "approved" | "rejected" | "expired";
            /** Action */
            action: components["schemas"]["CreateNoteAction"] | components["schemas"]["UpdateNoteAction"] | components["schemas"]["CreateTasksAction"] | components["schemas"]["UpdateTaskAction"] | components["schemas"]["DeleteNoteAction"] | components["schemas"]["StartResearchAction"] | components["schemas"]["CreateThesisAction"] | components["schemas"]["AddEvidenceAction"];
            /** Proposed */
            proposed?: (components["schemas"]["CreateNoteAction"] | components["schemas"]["UpdateNoteAction"] | components["schemas"]["CreateTasksAction"] | components["schemas"]["UpdateTaskAction"] | components["schemas"]["DeleteNoteAction"] | components["schemas"]["StartResearchAction"] | components["schemas"]["CreateThesisAction"] | components["schemas"]["AddEvidenceAction"]) | null;
            /** Reason */
            reason: string;
            /** Subject */
            subject: string;
            /** Session Id */
            session_id?: string | null;
            /** Run Id */
            run_id?: string | null;
            /** Expires At */
            expires_at: string;
            claim?: components["schemas"]["Claim"] | null;
            /** Resolved At */
            resolved_at?: string | null;
            /** Resolved By */
            resolved_by?: string | null;
            /** Rejection */
            rejection?: string | null;
            /** Ok */
            ok?: boolean | null;
            /** Result */
            result?: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            /** Undo */
            undo?: (components["schemas"]["NoteChanged"] | components["schemas"]["TasksCreated"] | components["schemas"]["TaskChanged"]) | null;
        };
        /**
         * ApprovalAnswer
         * @description An approval.
         */
        ApprovalAnswer: {
            approval: components["schemas"]["Approval"];
        };
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
         * ApprovalWithDiff
         * @description An approval, whole, with what it would change now; null once it is decided.
         */
        ApprovalWithDiff: {
            approval: components["schemas"]["Approval"];
            diff: components["schemas"]["Diff"] | null;
            /** Stale */
            stale: boolean;
        };
        /**
         * ApprovalsAnswer
         * @description A page of approvals; long texts in them are cut to their first lines.
         */
        ApprovalsAnswer: {
            /** Approvals */
            approvals: components["schemas"]["Approval"][];
            /** Waiting */
            waiting: components["schemas"]["WaitingRun"][] | null;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Approved
         * @description A yes; `changes` are arguments in place of the proposed ones, null leaves one out.
         */
        Approved: {
            /** Changes */
            changes?: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
        };
        /**
         * ApprovedTools
         * @description The tools that may be used from now on; all others may not.
         */
        ApprovedTools: {
            /** Tools */
            tools: string[];
        };
        /**
         * Asked
         * @description What an operation waits to be told by a person.
         */
        Asked: {
            /** Text */
            text: string;
            /** Asked At */
            asked_at: string;
            /** Expires At */
            expires_at: string;
            /**
             * Options
             * @default []
             */
            options?: string[];
        };
        /**
         * Back
         * @description Which revision shall be the present one.
         */
        Back: {
            /** Revision Id */
            revision_id: string;
        };
        /**
         * CanaryAnswer
         * @description What became of the canary: the receipts of its write and of its cleanup.
         */
        CanaryAnswer: {
            /** Healthy */
            healthy: boolean;
            written: components["schemas"]["Receipt"] | null;
            cleaned: components["schemas"]["Receipt"] | null;
            /** Problem */
            problem: string;
        };
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
         * ChangedAnswer
         * @description A memory after a change, and the proof of the change; None where it is not to be seen now.
         */
        ChangedAnswer: {
            memory: components["schemas"]["Memory"] | null;
            receipt: components["schemas"]["Receipt"];
        };
        /**
         * Choices
         * @description A tenant's choices: any subset; null goes back to the deployment's default.
         */
        Choices: {
            /** Model */
            model?: string | null;
            /** Use Tools */
            use_tools?: boolean | null;
            /** Approve Tools */
            approve_tools?: boolean | null;
            /** Think */
            think?: boolean | null;
            /** Agent Mode */
            agent_mode?: ("single" | "multi" | "custom") | null;
            /** Human Gate */
            human_gate?: boolean | null;
            /** Accuracy Mode */
            accuracy_mode?: ("standard" | "accurate") | null;
            /** Verifier Check */
            verifier_check?: boolean | null;
            /** Egress Enabled */
            egress_enabled?: boolean | null;
            /** Allowed Hosts */
            allowed_hosts?: string[] | null;
            /** Context Tokens */
            context_tokens?: number | null;
            /** Max Iterations */
            max_iterations?: number | null;
            /** Turn Timeout Seconds */
            turn_timeout_seconds?: number | null;
            /** Task Timeout Seconds */
            task_timeout_seconds?: number | null;
            /** Gate Hours */
            gate_hours?: number | null;
            /** Max Retries */
            max_retries?: number | null;
            /** Research Engine */
            research_engine?: ("deep" | "local") | null;
            /** Memory Enabled */
            memory_enabled?: boolean | null;
            /** Max Running */
            max_running?: number | null;
            /** Operation Budget Usd */
            operation_budget_usd?: number | null;
            /** Operation Budget Tokens */
            operation_budget_tokens?: number | null;
            /** Daily Budget Usd */
            daily_budget_usd?: number | null;
            /** Daily Paid Runs */
            daily_paid_runs?: number | null;
            /** Time Zone */
            time_zone?: string | null;
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
         * Claim
         * @description A person's yes: from then on the action is being done, and nobody can decide otherwise.
         */
        Claim: {
            /** Subject */
            subject: string;
            /** At */
            at: string;
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
         * Corrected
         * @description What a memory shall say.
         */
        Corrected: {
            /** Fact */
            fact: string;
        };
        /**
         * CreateNote
         * @description A note to make.
         */
        CreateNote: {
            /**
             * Text
             * @description The note's body, Markdown.
             */
            text: string;
            /** Title */
            title?: string | null;
            /** Tags */
            tags?: string[] | null;
            /**
             * Kind
             * @description digest and review: what you wrote from several notes.
             * @default capture
             * @enum {string}
             */
            kind?: "capture" | "digest" | "review";
            /**
             * Url
             * @description The page that the note is about.
             */
            url?: string | null;
        };
        /**
         * CreateNoteAction
         * @description Make a note.
         */
        CreateNoteAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            tool: "create_note";
            arguments: components["schemas"]["CreateNote"];
        };
        /**
         * CreateTasks
         * @description Tasks to make.
         */
        CreateTasks: {
            /** Tasks */
            tasks: components["schemas"]["WantedTask"][];
            /**
             * Source Note Id
             * @description The note that they come from.
             */
            source_note_id?: string | null;
        };
        /**
         * CreateTasksAction
         * @description Make tasks.
         */
        CreateTasksAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            tool: "create_tasks";
            arguments: components["schemas"]["CreateTasks"];
        };
        /**
         * CreateThesis
         * @description A thesis to write down.
         */
        CreateThesis: {
            /**
             * Statement
             * @description One sentence that may be wrong.
             */
            statement: string;
            /**
             * Text
             * @description Why it may be so, Markdown.
             */
            text?: string | null;
            /**
             * Status
             * @default draft
             * @enum {string}
             */
            status?: "draft" | "active";
            /**
             * Confidence
             * @description 0 to 100; leave it out where unsure.
             */
            confidence?: number | null;
            /**
             * Evidence For
             * @default []
             */
            evidence_for?: components["schemas"]["Finding"][];
            /**
             * Evidence Against
             * @default []
             */
            evidence_against?: components["schemas"]["Finding"][];
            /** Tags */
            tags?: string[] | null;
        };
        /**
         * CreateThesisAction
         * @description Write a thesis down.
         */
        CreateThesisAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            tool: "create_thesis";
            arguments: components["schemas"]["CreateThesis"];
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
         * DeadLetter
         * @description A message that could not be delivered as often as it was tried. It held ids only, and so does this.
         */
        DeadLetter: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "dead_letter";
            /** Id */
            id: string;
            /** At */
            at: string;
            /** Subscription */
            subscription: string;
            /** Message Id */
            message_id: string;
            /** Attributes */
            attributes: {
                [key: string]: string;
            };
            /** Attempts */
            attempts: number;
            /** Reason */
            reason: string;
        };
        /**
         * DeleteNote
         * @description A note for the bin.
         */
        DeleteNote: {
            /** Note Id */
            note_id: string;
        };
        /**
         * DeleteNoteAction
         * @description Move a note to the bin.
         */
        DeleteNoteAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            tool: "delete_note";
            arguments: components["schemas"]["DeleteNote"];
        };
        /**
         * Diff
         * @description What would change now.
         */
        Diff: {
            target?: components["schemas"]["Target"] | null;
            /**
             * Fields
             * @default []
             */
            fields?: components["schemas"]["FieldDiff"][];
            trouble?: components["schemas"]["Trouble"] | null;
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
            thesis?: components["schemas"]["ThesisChange"] | null;
            origin?: components["schemas"]["Origin-Input"] | null;
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
        /**
         * FieldDiff
         * @description A field before and after; null where it has no value.
         */
        FieldDiff: {
            /** Field */
            field: string;
            before: components["schemas"]["JsonValue"];
            after: components["schemas"]["JsonValue"];
            /** Lines */
            lines?: string[] | null;
        };
        /**
         * Finding
         * @description Something that speaks for or against, and where it says so.
         */
        Finding: {
            /**
             * Text
             * @description What the source says.
             */
            text: string;
            /**
             * Source
             * @description The note's id, or the page's address.
             */
            source: string;
        };
        /**
         * ForgottenAnswer
         * @description How many memories were to be forgotten, and the proof that they are.
         */
        ForgottenAnswer: {
            /** Forgotten */
            forgotten: number;
            receipt: components["schemas"]["Receipt"];
        };
        /**
         * Hit
         * @description Where a note says what was searched for; inflections and accents count as the same word.
         */
        Hit: {
            /** Note Id */
            note_id: string;
            /** Title */
            title: components["schemas"]["Piece"][];
            /** Passage */
            passage: components["schemas"]["Piece"][];
        };
        /**
         * Item
         * @description One memory in a receipt: the evidence, and the judgement of it.
         */
        Item: {
            /** Memory Ref */
            memory_ref: string | null;
            evidence: components["schemas"]["shared__models__memory__Evidence"];
            judgement: components["schemas"]["Judgement"];
        };
        JsonValue: unknown;
        /**
         * Judgement
         * @description What follows from it. `decision` is None where there is nothing to inject.
         */
        Judgement: {
            /** Case */
            case: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "healthy" | "working" | "degraded" | "uncertain" | "failed";
            /** Decision */
            decision: ("allow" | "degrade" | "wait" | "block") | null;
            /**
             * Safe Action
             * @default
             */
            safe_action?: string;
        };
        /**
         * McpFailure
         * @description Why a server could not be asked. None of it is the server's word.
         */
        McpFailure: {
            /** Code */
            code: string;
            /** Message */
            message: string;
            /** Next */
            next: string;
        };
        /**
         * McpServer
         * @description A server, as it may be shown.
         */
        McpServer: {
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
            /** Name */
            name: string;
            /** Url */
            url: string;
            /** Headers */
            headers: string[];
            /**
             * Status
             * @enum {string}
             */
            status: "ready" | "unreachable";
            error?: components["schemas"]["McpFailure"] | null;
            /** Checked At */
            checked_at: string;
            /**
             * Tools
             * @default []
             */
            tools?: components["schemas"]["McpTool"][];
        };
        /**
         * McpServerAnswer
         * @description An MCP server.
         */
        McpServerAnswer: {
            server: components["schemas"]["McpServer"];
        };
        /**
         * McpServersAnswer
         * @description All MCP servers; there are never so many that they need a second page.
         */
        McpServersAnswer: {
            /** Servers */
            servers: components["schemas"]["McpServer"][];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /**
         * McpTool
         * @description A tool as it was seen when the server was last asked by a person; the hashes say what they approved.
         */
        McpTool: {
            /** Name */
            name: string;
            /** Description */
            description: string;
            /** Schema Text */
            schema_text: string;
            /** Description Sha256 */
            description_sha256: string;
            /** Schema Sha256 */
            schema_sha256: string;
            /**
             * Approved
             * @default false
             */
            approved?: boolean;
            /**
             * Changed
             * @default false
             */
            changed?: boolean;
            /**
             * Unusable
             * @default
             */
            unusable?: string;
        };
        /**
         * MemoriesAnswer
         * @description A page of memories, the last changed first.
         */
        MemoriesAnswer: {
            /** Memories */
            memories: components["schemas"]["Memory"][];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Memory
         * @description A memory as its person sees it.
         */
        Memory: {
            /** Id */
            id: string;
            /** Fact */
            fact: string;
            /** Created At */
            created_at: string;
            /** Updated At */
            updated_at: string;
            /** Expires At */
            expires_at?: string | null;
            origin?: components["schemas"]["shared__models__memory__Origin"] | null;
            judgement: components["schemas"]["Judgement"];
        };
        /**
         * MemoryInput
         * @description What a person said in one turn, and where: the words themselves stay in the conversation.
         */
        MemoryInput: {
            /** Session Id */
            session_id: string;
            /** Turn */
            turn: string;
        };
        /**
         * NewMcpServer
         * @description An MCP server to add; `headers` go with each request to it and are never shown again.
         */
        NewMcpServer: {
            /** Name */
            name: string;
            /** Url */
            url: string;
            /**
             * Headers
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
        };
        /**
         * NewResearch
         * @description Research on a note.
         */
        NewResearch: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "deep_research";
            input: components["schemas"]["NoteChoice"];
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
            origin?: components["schemas"]["shared__models__note__Origin"] | null;
            thesis?: components["schemas"]["Thesis"] | null;
        };
        /**
         * NoteAnswer
         * @description A note.
         */
        NoteAnswer: {
            note: components["schemas"]["Note"];
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
         * NoteChanges
         * @description What changes of a note.
         */
        NoteChanges: {
            /**
             * Title
             * @description Empty takes the title off.
             */
            title?: string | null;
            /**
             * Summary
             * @description Empty takes the summary off.
             */
            summary?: string | null;
            /**
             * Body
             * @description The whole new body.
             */
            body?: string | null;
            /**
             * Tags
             * @description All tags, in place of those that are there.
             */
            tags?: string[] | null;
            /**
             * Add Tags
             * @description Tags beside those that are there.
             */
            add_tags?: string[] | null;
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
            trace: (components["schemas"]["User"] | components["schemas"]["Text"] | components["schemas"]["shared__events__trace__Thinking"] | components["schemas"]["ToolCall"] | components["schemas"]["ToolResult"] | components["schemas"]["Context"] | components["schemas"]["Recall"] | components["schemas"]["Plan"] | components["schemas"]["shared__events__trace__Evidence"] | components["schemas"]["Critique"] | components["schemas"]["Verification"] | components["schemas"]["Citations"] | components["schemas"]["shared__events__trace__Usage"] | components["schemas"]["ApprovalRequest"] | components["schemas"]["Error"])[];
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
            /**
             * Hits
             * @default []
             */
            hits?: components["schemas"]["Hit"][];
        };
        /**
         * Operation
         * @description Long work on record. Every change of `status` goes through shared/operations/transition.py.
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
            /** Input */
            input: components["schemas"]["ResearchInput"] | components["schemas"]["AgentInput"] | components["schemas"]["RoutineInput"] | components["schemas"]["MemoryInput"];
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
            /** Former Execution */
            former_execution?: string | null;
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
            asked?: components["schemas"]["Asked"] | null;
            /** Answer */
            answer?: string | null;
            /**
             * Answered
             * @default false
             */
            answered?: boolean;
            /** Left Seconds */
            left_seconds?: number | null;
            /**
             * @default {
             *       "tokens": 0,
             *       "cost_usd": 0
             *     }
             */
            usage?: components["schemas"]["shared__models__operation__Usage"];
            /**
             * Budget Usd
             * @default 0
             */
            budget_usd?: number;
            /**
             * Budget Tokens
             * @default 0
             */
            budget_tokens?: number;
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
        "Origin-Input": {
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
         * Paused
         * @description Why a routine is not run on its schedule any more.
         */
        Paused: {
            /** Reason */
            reason: string;
            /** At */
            at: string;
        };
        /**
         * Piece
         * @description Some text, and whether it is a word that was asked for.
         */
        Piece: {
            /** Text */
            text: string;
            /**
             * Hit
             * @default false
             */
            hit?: boolean;
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
         * Preferences
         * @description The settings that count for one tenant; what each means is said in shared/config.py.
         */
        Preferences: {
            /** Model */
            model: string;
            /** Use Tools */
            use_tools: boolean;
            /** Approve Tools */
            approve_tools: boolean;
            /** Think */
            think: boolean;
            /**
             * Agent Mode
             * @enum {string}
             */
            agent_mode: "single" | "multi" | "custom";
            /** Human Gate */
            human_gate: boolean;
            /**
             * Accuracy Mode
             * @enum {string}
             */
            accuracy_mode: "standard" | "accurate";
            /** Verifier Check */
            verifier_check: boolean;
            /** Egress Enabled */
            egress_enabled: boolean;
            /** Allowed Hosts */
            allowed_hosts: string[];
            /** Context Tokens */
            context_tokens: number;
            /** Max Iterations */
            max_iterations: number;
            /** Turn Timeout Seconds */
            turn_timeout_seconds: number;
            /** Task Timeout Seconds */
            task_timeout_seconds: number;
            /** Gate Hours */
            gate_hours: number;
            /** Max Retries */
            max_retries: number;
            /**
             * Research Engine
             * @enum {string}
             */
            research_engine: "deep" | "local";
            /** Memory Enabled */
            memory_enabled: boolean;
            /** Max Running */
            max_running: number;
            /** Operation Budget Usd */
            operation_budget_usd: number;
            /** Operation Budget Tokens */
            operation_budget_tokens: number;
            /** Daily Budget Usd */
            daily_budget_usd: number;
            /** Daily Paid Runs */
            daily_paid_runs: number;
            /** Time Zone */
            time_zone: string;
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
         * Question
         * @description What an agent task shall answer.
         */
        Question: {
            /** Question */
            question: string;
            /**
             * Note Ids
             * @default []
             */
            note_ids?: string[];
        };
        /**
         * Read
         * @description One way of reading, on its own: how often it was asked, how often it showed what was looked for.
         */
        Read: {
            /**
             * Asked
             * @default 0
             */
            asked?: number;
            /**
             * Hits
             * @default 0
             */
            hits?: number;
            /**
             * Failed
             * @default 0
             */
            failed?: number;
            /** At */
            at?: string | null;
        };
        /**
         * Reads
         * @description The four ways of reading. They answer different questions, so they are never counted together.
         */
        Reads: {
            /**
             * @default {
             *       "asked": 0,
             *       "hits": 0,
             *       "failed": 0
             *     }
             */
            get?: components["schemas"]["Read"];
            /**
             * @default {
             *       "asked": 0,
             *       "hits": 0,
             *       "failed": 0
             *     }
             */
            listed?: components["schemas"]["Read"];
            /**
             * @default {
             *       "asked": 0,
             *       "hits": 0,
             *       "failed": 0
             *     }
             */
            scope?: components["schemas"]["Read"];
            /**
             * @default {
             *       "asked": 0,
             *       "hits": 0,
             *       "failed": 0
             *     }
             */
            similarity?: components["schemas"]["Read"];
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
         * Receipt
         * @description The proof of one piece of work with memories, or of one recall.
         */
        Receipt: {
            /** Id */
            id: string;
            /** At */
            at: string;
            /**
             * Occasion
             * @enum {string}
             */
            occasion: "generation" | "recall" | "change" | "canary";
            /** Scope */
            scope: string;
            /** Operation Ref */
            operation_ref?: string | null;
            /** Operation Id */
            operation_id?: string | null;
            /** Source */
            source?: string | null;
            /** Source Seen */
            source_seen?: boolean | null;
            /** Started At */
            started_at?: string | null;
            /** Finished At */
            finished_at?: string | null;
            /** Deadline At */
            deadline_at?: string | null;
            /**
             * Items
             * @default []
             */
            items?: components["schemas"]["Item"][];
            /**
             * @default {
             *       "get": {
             *         "asked": 0,
             *         "failed": 0,
             *         "hits": 0
             *       },
             *       "listed": {
             *         "asked": 0,
             *         "failed": 0,
             *         "hits": 0
             *       },
             *       "scope": {
             *         "asked": 0,
             *         "failed": 0,
             *         "hits": 0
             *       },
             *       "similarity": {
             *         "asked": 0,
             *         "failed": 0,
             *         "hits": 0
             *       }
             *     }
             */
            reads?: components["schemas"]["Reads"];
            /**
             * Injected
             * @default 0
             */
            injected?: number;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "healthy" | "working" | "degraded" | "uncertain" | "failed";
            /** Decision */
            decision: ("allow" | "degrade" | "wait" | "block") | null;
            /**
             * Safe Action
             * @default
             */
            safe_action?: string;
        };
        /**
         * ReceiptsAnswer
         * @description A page of receipts, newest first.
         */
        ReceiptsAnswer: {
            /** Receipts */
            receipts: components["schemas"]["Receipt"][];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * Rejected
         * @description A no.
         */
        Rejected: {
            /** Reason */
            reason?: string | null;
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
         * Revision
         * @description An earlier or the present state of a memory.
         */
        Revision: {
            /** Id */
            id: string;
            /** Fact */
            fact: string;
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at?: string | null;
            /** Source */
            source?: string | null;
        };
        /**
         * RevisionsAnswer
         * @description A memory's revisions, newest first; there are never so many that they need a second page.
         */
        RevisionsAnswer: {
            /** Revisions */
            revisions: components["schemas"]["Revision"][];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /**
         * RoutineAnswer
         * @description A routine.
         */
        RoutineAnswer: {
            routine: components["schemas"]["RoutineView"];
        };
        /**
         * RoutineChange
         * @description What changes; what is left out, or null, stays.
         */
        RoutineChange: {
            /** Enabled */
            enabled?: boolean | null;
            /** At */
            at?: string | null;
            /** Resume */
            resume?: boolean | null;
        };
        /**
         * RoutineInput
         * @description Which routine, and for which moment.
         */
        RoutineInput: {
            /**
             * Routine
             * @enum {string}
             */
            routine: "daily_review" | "nightly_digest";
            /** Due At */
            due_at: string;
        };
        /**
         * RoutineRun
         * @description One run. Its id is its operation's.
         */
        RoutineRun: {
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
             * Routine
             * @enum {string}
             */
            routine: "daily_review" | "nightly_digest";
            /** Due At */
            due_at: string;
            /** Fired At */
            fired_at: string;
            /**
             * By
             * @default schedule
             * @enum {string}
             */
            by?: "schedule" | "person";
            /**
             * Status
             * @default queued
             * @enum {string}
             */
            status?: "queued" | "running" | "waiting_for_input" | "completed" | "failed" | "cancelled";
            /** Summary */
            summary?: string | null;
            /** Draft */
            draft?: string | null;
            /** Partial */
            partial?: string | null;
            /**
             * Approval Ids
             * @default []
             */
            approval_ids?: string[];
            /** Note Id */
            note_id?: string | null;
            error?: components["schemas"]["Failure"] | null;
        };
        /**
         * RoutineView
         * @description A routine, when it comes next, and its last runs.
         */
        RoutineView: {
            /**
             * Name
             * @enum {string}
             */
            name: "daily_review" | "nightly_digest";
            /** Enabled */
            enabled: boolean;
            /** At */
            at: string;
            /** Time Zone */
            time_zone: string;
            /** Next Due At */
            next_due_at: string | null;
            /** Last Due At */
            last_due_at: string | null;
            /** Failures */
            failures: number;
            paused: components["schemas"]["Paused"] | null;
            /** Revision */
            revision: number;
            /**
             * Last Runs
             * @default []
             */
            last_runs?: components["schemas"]["RoutineRun"][];
        };
        /**
         * RoutinesAnswer
         * @description All routines; there are never so many that they need a second page.
         */
        RoutinesAnswer: {
            /** Routines */
            routines: components["schemas"]["RoutineView"][];
            /** Next Cursor */
            next_cursor?: string | null;
        };
        /**
         * RunsAnswer
         * @description A page of runs.
         */
        RunsAnswer: {
            /** Runs */
            runs: components["schemas"]["RoutineRun"][];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * SettingsAnswer
         * @description The settings that count, the names of those that were chosen, and the deployment's defaults.
         */
        SettingsAnswer: {
            settings: components["schemas"]["Preferences"];
            /** Overrides */
            overrides: string[];
            defaults: components["schemas"]["Preferences"];
            /** Models */
            models: string[];
        };
        /**
         * StartResearch
         * @description A note to research.
         */
        StartResearch: {
            /** Note Id */
            note_id: string;
        };
        /**
         * StartResearchAction
         * @description Research a note.
         */
        StartResearchAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            tool: "start_research";
            arguments: components["schemas"]["StartResearch"];
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
         * Target
         * @description What the action is about.
         */
        Target: {
            /** Id */
            id: string;
            /** Title */
            title: string;
            /** Link */
            link?: string | null;
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
         * TaskChanges
         * @description What changes of a task.
         */
        TaskChanges: {
            /** Title */
            title?: string | null;
            /** Status */
            status?: ("open" | "done" | "dropped") | null;
            /**
             * Tags
             * @description All tags, in place of those that are there.
             */
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
         * Thesis
         * @description What makes a note a thesis; the statement is the note's title, its reasons are the body.
         */
        Thesis: {
            /**
             * Status
             * @default draft
             * @enum {string}
             */
            status?: "draft" | "active" | "validated" | "invalidated";
            /** Confidence */
            confidence?: number | null;
            /**
             * Supporting
             * @default []
             */
            supporting?: components["schemas"]["shared__models__thesis__Evidence"][];
            /**
             * Opposing
             * @default []
             */
            opposing?: components["schemas"]["shared__models__thesis__Evidence"][];
        };
        /**
         * ThesisChange
         * @description What a person changes of a thesis; what is left out stays, and null says that nobody has judged.
         */
        ThesisChange: {
            /** Statement */
            statement?: string | null;
            /** Status */
            status?: ("draft" | "active" | "validated" | "invalidated") | null;
            /** Confidence */
            confidence?: number | null;
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
         * ToolEntry
         * @description A tool: what it does, what it touches, and whether each of its calls asks a person first.
         */
        ToolEntry: {
            /** Name */
            name: string;
            /**
             * Class
             * @enum {string}
             */
            class: "read" | "write" | "external" | "destructive";
            /** Description */
            description: string;
            /** Asks */
            asks: boolean;
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
         * ToolsAnswer
         * @description All tools.
         */
        ToolsAnswer: {
            /** Tools */
            tools: components["schemas"]["ToolEntry"][];
        };
        /**
         * Trouble
         * @description Why it can't be done as things are.
         */
        Trouble: {
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
         * UndoneAnswer
         * @description What became of what was taken back.
         */
        UndoneAnswer: {
            /** Undone */
            undone: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        /**
         * UpdateNote
         * @description A note to change.
         */
        UpdateNote: {
            /** Note Id */
            note_id: string;
            changes: components["schemas"]["NoteChanges"];
        };
        /**
         * UpdateNoteAction
         * @description Change a note.
         */
        UpdateNoteAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            tool: "update_note";
            arguments: components["schemas"]["UpdateNote"];
        };
        /**
         * UpdateTask
         * @description A task to change.
         */
        UpdateTask: {
            /** Task Id */
            task_id: string;
            changes: components["schemas"]["TaskChanges"];
        };
        /**
         * UpdateTaskAction
         * @description Change a task.
         */
        UpdateTaskAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            tool: "update_task";
            arguments: components["schemas"]["UpdateTask"];
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
         * WaitingRun
         * @description A turn that waits for its person's word; the word is said in its conversation.
         */
        WaitingRun: {
            /** Run Id */
            run_id: string;
            /** Session Id */
            session_id: string;
            /** Title */
            title: string | null;
            /**
             * Reason
             * @enum {string}
             */
            reason: "approve_tool" | "egress_approval" | "approve_answer";
            /** Tool */
            tool: string;
            /** Arguments */
            arguments: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** Why */
            why: string;
            /** Blocked Host */
            blocked_host: string;
            /** Answer */
            answer: string;
            /** Expires At */
            expires_at: string;
        };
        /**
         * WantedTask
         * @description A task to make.
         */
        WantedTask: {
            /** Title */
            title: string;
            /** Tags */
            tags?: string[] | null;
        };
        /**
         * NewTask
         * @description A question to the agent.
         */
        functions__api__operations__NewTask: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "agent_task";
            input: components["schemas"]["Question"];
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
         * Evidence
         * @description What the sources found together before the answer was written; `text` says it in a sentence, misses included.
         */
        shared__events__trace__Evidence: {
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
         * Usage
         * @description What it used.
         */
        shared__events__trace__Usage: {
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
         * Evidence
         * @description What was observed of one memory and the work on it. Scopes and sources are opaque; None means not looked at.
         */
        shared__models__memory__Evidence: {
            /** Done */
            done?: boolean | null;
            /**
             * Late
             * @default false
             */
            late?: boolean;
            /** Error Code */
            error_code?: number | null;
            /** Action */
            action?: ("CREATED" | "UPDATED" | "DELETED") | null;
            /**
             * Expected
             * @default memory
             * @enum {string}
             */
            expected?: "memory" | "none" | "deleted";
            /** Expected Scope */
            expected_scope: string;
            /**
             * Visible Scopes
             * @default []
             */
            visible_scopes?: string[];
            /** Expected Source */
            expected_source?: string | null;
            /** Visible Source */
            visible_source?: string | null;
            /** Get Status */
            get_status?: (200 | 404) | null;
            /** Inventory Hit */
            inventory_hit?: boolean | null;
            /** Similarity Hit */
            similarity_hit?: boolean | null;
        };
        /**
         * Origin
         * @description Where the newest revision of a memory should come from.
         */
        shared__models__memory__Origin: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "chat" | "edit" | "rollback" | "canary";
            /** Source */
            source: string;
            /** Session Id */
            session_id?: string | null;
        };
        /**
         * Origin
         * @description Where an imported note came from, so that it can go back out as it came in.
         */
        shared__models__note__Origin: {
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
        /**
         * Evidence
         * @description A finding as a thesis holds it.
         */
        shared__models__thesis__Evidence: {
            /**
             * Text
             * @description What the source says.
             */
            text: string;
            /**
             * Source
             * @description The note's id, or the page's address.
             */
            source: string;
            /** Added At */
            added_at: string;
        };
        /**
         * NewTask
         * @description A task to add.
         */
        shared__task__NewTask: {
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
                "application/json": components["schemas"]["shared__task__NewTask"];
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
                upkeep?: boolean;
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
                "application/json": components["schemas"]["NewResearch"] | components["schemas"]["functions__api__operations__NewTask"];
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
    give_api_v1_operations__operation_id__input_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Answered"];
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
    read_api_v1_settings_get: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["SettingsAnswer"];
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
    write_api_v1_settings_put: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Choices"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsAnswer"];
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
    config_api_v1_agents_config_get: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["AgentsAnswer"];
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
    choose_api_v1_agents_config_put: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentChoices"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsAnswer"];
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
    page_api_v1_approvals_get: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
                status?: ("pending" | "approved" | "rejected" | "expired") | null;
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
                    "application/json": components["schemas"]["ApprovalsAnswer"];
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
    one_api_v1_approvals__approval_id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval_id: string;
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
                    "application/json": components["schemas"]["ApprovalWithDiff"];
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
    approve_api_v1_approvals__approval_id__approve_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Approved"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalAnswer"];
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
    reject_api_v1_approvals__approval_id__reject_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Rejected"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalAnswer"];
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
    undo_api_v1_approvals__approval_id__undo_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval_id: string;
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
    page_api_v1_routines_get: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["RoutinesAnswer"];
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
    runs_api_v1_routines_runs_get: {
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
                    "application/json": components["schemas"]["RunsAnswer"];
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
    edit_api_v1_routines__routine__patch: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string | null;
            };
            path: {
                routine: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoutineChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutineAnswer"];
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
    run_api_v1_routines__routine__run_post: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
            path: {
                routine: string;
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
    page_api_v1_memories_get: {
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
                    "application/json": components["schemas"]["MemoriesAnswer"];
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
    forget_all_api_v1_memories_delete: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["ForgottenAnswer"];
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
    receipts_api_v1_memories_receipts_get: {
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
                    "application/json": components["schemas"]["ReceiptsAnswer"];
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
    canary_api_v1_memories_canary_post: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string | null;
            };
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
                    "application/json": components["schemas"]["CanaryAnswer"];
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
    forget_api_v1_memories__memory_id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
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
                    "application/json": components["schemas"]["ForgottenAnswer"];
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
    edit_api_v1_memories__memory_id__patch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Corrected"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedAnswer"];
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
    revisions_api_v1_memories__memory_id__revisions_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
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
                    "application/json": components["schemas"]["RevisionsAnswer"];
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
    roll_back_api_v1_memories__memory_id__rollback_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                memory_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Back"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedAnswer"];
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
    page_api_v1_activity_get: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
                session_id?: string | null;
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
                    "application/json": components["schemas"]["ActivityAnswer"];
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
    page_api_v1_tools_get: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["ToolsAnswer"];
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
    page_api_v1_mcp_servers_get: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["McpServersAnswer"];
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
    add_api_v1_mcp_servers_post: {
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
                "application/json": components["schemas"]["NewMcpServer"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServerAnswer"];
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
    refresh_api_v1_mcp_servers__server_id__refresh_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                server_id: string;
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
                    "application/json": components["schemas"]["McpServerAnswer"];
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
    approve_api_v1_mcp_servers__server_id__approve_post: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string | null;
            };
            path: {
                server_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovedTools"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServerAnswer"];
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
    remove_api_v1_mcp_servers__server_id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                server_id: string;
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
                    "application/json": components["schemas"]["McpServerAnswer"];
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
