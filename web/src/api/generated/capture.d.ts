export interface paths {
    "/api/v1/captures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One
         * @description Store a capture; 200 where this very capture is stored already.
         */
        post: operations["one_api_v1_captures_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/captures/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Batch
         * @description Store up to twenty captures; a bad one never fails the rest.
         */
        post: operations["batch_api_v1_captures_batch_post"];
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
         * Batch
         * @description Several captures in one request.
         */
        Batch: {
            /** Captures */
            captures: {
                [key: string]: components["schemas"]["JsonValue"];
            }[];
        };
        /**
         * BatchAnswer
         * @description One result for each capture, in the same order.
         */
        BatchAnswer: {
            /** Results */
            results: components["schemas"]["Result"][];
        };
        /**
         * Capture
         * @description What a person drops in: some text, or an address, or both.
         */
        Capture: {
            /** Text */
            text?: string | null;
            /** Url */
            url?: string | null;
            /** Title */
            title?: string | null;
            /**
             * Tags
             * @default []
             */
            tags?: string[];
            /**
             * Research
             * @default false
             */
            research?: boolean;
            /**
             * Source
             * @default api
             * @enum {string}
             */
            source?: "web" | "cli" | "api" | "import";
            origin?: components["schemas"]["Origin"] | null;
            exported?: components["schemas"]["Exported"] | null;
            /** Created At */
            created_at?: string | null;
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
         * @description A finding as a thesis holds it.
         */
        Evidence: {
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
         * Exported
         * @description What the file of an export says of the note that it was: a claim, believed where it can do no harm.
         */
        Exported: {
            /** Note Id */
            note_id?: string | null;
            /**
             * Kind
             * @default capture
             * @enum {string}
             */
            kind?: "capture" | "link" | "research" | "digest" | "review";
            /** Source Note Id */
            source_note_id?: string | null;
            /**
             * Citations
             * @default []
             */
            citations?: components["schemas"]["Citation"][];
        };
        JsonValue: unknown;
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
         * Result
         * @description What became of one capture of a batch.
         */
        Result: {
            /** Status */
            status: number;
            note?: components["schemas"]["Note"] | null;
            error?: components["schemas"]["ErrorBody"] | null;
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
            supporting?: components["schemas"]["Evidence"][];
            /**
             * Opposing
             * @default []
             */
            opposing?: components["schemas"]["Evidence"][];
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
    one_api_v1_captures_post: {
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
                "application/json": components["schemas"]["Capture"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
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
    batch_api_v1_captures_batch_post: {
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
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description Successful Response */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
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
