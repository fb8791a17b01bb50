export interface paths {
    "/api/v1/ingestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Needs the permission `manage_ingestions`.
         */
        get: operations["listIngestions"];
        put?: never;
        /**
         * Upload a file of findings
         * @description A record needs class_uid 2004, finding_info.uid, metadata.event_code (512 characters at most), a provider (cloud.provider, unmapped.provider or the part provider; 100), an account (cloud.account.uid, unmapped.provider_uid or the part account; 512) and status_code (PASS, FAIL, MANUAL or MUTED, in any case); without one it is an error of the job, and all others are ingested. Everything else is optional: what cannot be read is left out, with a warning. Accounts are compared in Unicode normalization form C, without invisible characters and white space around them; UUIDs of azure, entra and m365 and host names of okta in lower case. severity_id, status_id and times may be numbers or digits. A time after the upload is replaced by the time of the upload, with a warning if it is more than five minutes ahead. Of two records with the same finding and time FAIL counts before MANUAL before PASS, unmuted before muted, then the later place in the file. Needs the permission `manage_ingestions`.
         */
        post: operations["createIngestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingestions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job
         * @description Needs the permission `manage_ingestions`.
         */
        get: operations["getIngestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingestions/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was wrong with the records of a job
         * @description Needs the permission `manage_ingestions`.
         */
        get: operations["listIngestionErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingestions/{id}/warnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was unusual about ingested records of a job
         * @description Needs the permission `manage_ingestions`.
         */
        get: operations["listIngestionWarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingestions/{id}/records/{record_index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a record of an uploaded file
         * @description Good or bad, as it was submitted: what an error of the job is about. Needs the permissions `manage_ingestions` and `read_findings`.
         */
        get: operations["getIngestionRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingestions/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the uploaded file of a job
         * @description Byte for byte what was uploaded, good records and bad; a file that came compressed is given out inflated. An Accept-Encoding with zstd or gzip has it compressed on the way. Needs the permissions `manage_ingestions` and `read_findings`.
         */
        get: operations["getIngestionFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List findings
         * @description Severities are sorted by OCSF severity_id: unknown, informational, low, medium, high, critical, fatal, and other above them all, because nobody can say that it is less grave. Statuses are sorted as PASS, FAIL, MANUAL. To read very many findings begin with an empty page[after] and follow links.next: no page takes longer than the first. Sorted by id or check_id, which never change, each finding is met exactly once, whatever comes in meanwhile; in another order one whose place changes meanwhile can be missed or met again. Needs the permission `read_findings`.
         */
        get: operations["listFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/findings/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count findings
         * @description Counts by status, severity, delta, provider and service under the same filters as the list of findings. Needs the permission `read_findings`.
         */
        get: operations["summarizeFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/findings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a finding and its record
         * @description Needs the permission `read_findings`.
         */
        get: operations["getFinding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/findings/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count failing findings over time
         * @description A day's counts are those of the last upload of each account up to its end, by the time of its records, in UTC. An account of which an upload brings only a part is shown with that part. Accounts that were deleted are not in it. Needs the permission `read_findings`.
         */
        get: operations["readFindingTrend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scans
         * @description Needs the permission `read_findings`. `include=ingestion` needs the permission `manage_ingestions`.
         */
        get: operations["listScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scan
         * @description Needs the permission `read_findings`. `include=ingestion` needs the permission `manage_ingestions`.
         */
        get: operations["getScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List providers
         * @description Needs the permission `read_findings`.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a provider
         * @description Needs the permission `read_findings`.
         */
        get: operations["getProvider"];
        put?: never;
        post?: never;
        /**
         * Delete a provider with its findings and scans
         * @description From then on it is not counted and nothing of it is shown; its data is removed in the background. When its account is uploaded again, that is a new provider. Needs the permission `manage_providers`.
         */
        delete: operations["deleteProvider"];
        options?: never;
        head?: never;
        /**
         * Give a provider an alias, or take it away
         * @description Needs the permission `manage_providers`.
         */
        patch: operations["updateProvider"];
        trace?: never;
    };
    "/api/v1/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List checks
         * @description Every check that a finding was ever judged by, also where no provider is left that has findings of it. Findings are counted for each request; name other fields where you need no counts. Needs the permission `read_findings`.
         */
        get: operations["listChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/checks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a check
         * @description Its id is percent-encoded in the address, as links.self has it. Needs the permission `read_findings`.
         */
        get: operations["getCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Needs the permission `manage_account`. `include=user` needs the permission `manage_users`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key
         * @description The answer shows the key, this once. It can never do more than the key that asks for it. Needs the permission `manage_account`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key, without its secret
         * @description Needs the permission `manage_account`. `include=user` needs the permission `manage_users`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description From the next request on, also where that is the key in use. Revoking it again changes nothing. Needs the permission `manage_account`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Needs the permission `manage_users`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Add a user
         * @description Nobody can give a role that allows more than the API key that asks for it. Needs the permission `manage_users`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Needs the permission `manage_users`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Its API keys are valid no longer. What it did stays in the audit trail. Nobody can delete a user with a permission that the API key that asks for it lacks (403), nor the last user who has a permission (409). Needs the permission `manage_users`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change the email or the roles of a user
         * @description Nobody can take away a permission that the API key that asks for it lacks (403), nor from the last user who has it (409). Needs the permission `manage_users`.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/v1/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description Needs the permission `manage_users`.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Add a role
         * @description Nobody can put a permission into a role that the API key that asks for it lacks. Needs the permission `manage_users`.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a role
         * @description Needs the permission `manage_users`.
         */
        get: operations["getRole"];
        put?: never;
        post?: never;
        /**
         * Delete a role that nobody has
         * @description Needs the permission `manage_users`.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Change the name or the permissions of a role
         * @description It holds for all who have the role, from the next request on. Nobody can take away a permission that the API key that asks for it lacks (403), nor from the last user who has it (409). Needs the permission `manage_users`.
         */
        patch: operations["updateRole"];
        trace?: never;
    };
    "/api/v1/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the subscription, with the providers that it counts */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what
         * @description Needs the permission `manage_account`. `include=user` needs the permission `manage_users`.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one event
         * @description Needs the permission `manage_account`. `include=user` needs the permission `manage_users`.
         */
        get: operations["getAuditEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get every limit in force */
        get: operations["getLimits"];
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
        ProviderChange: {
            data: {
                /** @constant */
                type: "providers";
                id: string;
                attributes: {
                    /** @description A name of your own; null: none. Several providers may have the same */
                    alias?: string | null;
                };
            };
        };
        NewApiKey: {
            data: {
                /** @constant */
                type: "api-keys";
                attributes: {
                    /** @description What it is for */
                    name: string;
                    /** @description What to narrow the key to. Without it: all that its user may, where the key that asks is not narrowed and its own user; else what the key that asks and the user both may */
                    permissions?: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
                    /** @description With a zone, in the future; without it: never */
                    expires_at?: string | null;
                };
                relationships?: {
                    /** @description Whose key it is; without it: your own. For others manage_users is needed */
                    user?: {
                        data: {
                            /** @constant */
                            type: "users";
                            /** Format: uuid */
                            id: string;
                        };
                    };
                };
            };
        };
        NewUser: {
            data: {
                /** @constant */
                type: "users";
                attributes: {
                    /** @description Nobody else in the tenant has it, in whatever case */
                    email: string;
                };
                relationships?: {
                    /** @description All roles of the user; others are taken away */
                    roles?: {
                        data: {
                            /** @constant */
                            type: "roles";
                            /** Format: uuid */
                            id: string;
                        }[];
                    };
                };
            };
        };
        UserChanges: {
            data: {
                /** @constant */
                type: "users";
                /** Format: uuid */
                id: string;
                attributes?: {
                    /** @description Nobody else in the tenant has it, in whatever case */
                    email?: string;
                };
                relationships?: {
                    /** @description All roles of the user; others are taken away */
                    roles?: {
                        data: {
                            /** @constant */
                            type: "roles";
                            /** Format: uuid */
                            id: string;
                        }[];
                    };
                };
            };
        };
        NewRole: {
            data: {
                /** @constant */
                type: "roles";
                attributes: {
                    /** @description No other role of the tenant has it */
                    name: string;
                    /** @description Only what the API key has itself */
                    permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
                };
            };
        };
        RoleChanges: {
            data: {
                /** @constant */
                type: "roles";
                /** Format: uuid */
                id: string;
                attributes?: {
                    /** @description No other role of the tenant has it */
                    name?: string;
                    /** @description Only what the API key has itself */
                    permissions?: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
                };
            };
        };
        /** @description The job of one uploaded file */
        Ingestion: {
            /** @constant */
            type: "ingestions";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["IngestionAttributes"];
            relationships: {
                errors: {
                    links: {
                        /** Format: uri */
                        related: string;
                    };
                };
                warnings: {
                    links: {
                        /** Format: uri */
                        related: string;
                    };
                };
                file: {
                    links: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta: {
                /** @description Warnings about records that were ingested */
                warnings: number;
                file_name: string | null;
                received_bytes: number;
                /** @description Inflated, where the file came compressed */
                bytes: number;
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[ingestions] names */
        IngestionAttributes: {
            /**
             * @description completed: every record was good. failed: one or more were not, or the file itself is bad; the good ones are in
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            summary: {
                /** @description Records in the file */
                total: number;
                /** @description Records handled so far, good or not */
                processed: number;
                /** @description Records that were rejected */
                invalid: number;
            };
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            requested_at: string;
            started_at: string | null;
            completed_at: string | null;
        };
        ErrorDocument: {
            errors: components["schemas"]["Error"][];
            meta: {
                /**
                 * @description Version of the API
                 * @constant
                 */
                version: "v1";
            };
        };
        Error: {
            /** @description The id of the request, as in X-Request-Id */
            id: string;
            status: string;
            /** @description Stable, for programs */
            code: string;
            title: string;
            detail: string;
            source?: {
                pointer?: string;
                parameter?: string;
                header?: string;
            };
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description null where there is no such page */
        PageLinks: {
            /** Format: uri */
            self: string;
            /** Format: uri */
            first: string;
            prev: string | null;
            next: string | null;
            last: string | null;
        };
        /** @description Not there where page[after] was used */
        Pagination: {
            page: number;
            pages: number;
            /** @description Resources on all pages */
            count: number;
        };
        /** @description What was wrong with a record, or with the file */
        IngestionError: {
            /** @constant */
            type: "ingestion-errors";
            id: string;
            attributes: components["schemas"]["IngestionErrorAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[ingestion-errors] names */
        IngestionErrorAttributes: {
            code: string;
            detail: string;
            /** @description Place in the array; null: of the file */
            record_index: number | null;
            /** @description In the inflated file */
            byte_offset: number;
            /** @description JSON Pointer (RFC 6901) inside the record */
            pointer: string | null;
            finding_uid: string | null;
        };
        /** @description What was unusual about a record that was ingested */
        IngestionWarning: {
            /** @constant */
            type: "ingestion-warnings";
            id: string;
            attributes: components["schemas"]["IngestionWarningAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[ingestion-warnings] names */
        IngestionWarningAttributes: {
            code: string;
            detail: string;
            /** @description Place in the array; null: of the file */
            record_index: number | null;
            /** @description In the inflated file */
            byte_offset: number;
            /** @description JSON Pointer (RFC 6901) inside the record */
            pointer: string | null;
            finding_uid: string | null;
        };
        /** @description A record of an uploaded file, good or bad */
        IngestionRecord: {
            /** @constant */
            type: "ingestion-records";
            id: string;
            attributes: components["schemas"]["IngestionRecordAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[ingestion-records] names */
        IngestionRecordAttributes: {
            /** @description Place in the array, from 0 on */
            record_index: number;
            /** @description In the inflated file */
            byte_offset: number;
            /** @description Of the whole record */
            bytes: number;
            /** @description The record as it was submitted, or its first 65536 bytes; what is no UTF-8 in it is shown as U+FFFD */
            raw: string;
            /** @description Whether `raw` is only the beginning of the record */
            truncated: boolean;
        };
        /** @description The current state of what one check found about one resource */
        Finding: {
            /** @constant */
            type: "findings";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["FindingAttributes"];
            relationships: {
                provider: {
                    data: {
                        /** @constant */
                        type: "providers";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
                check: {
                    data: {
                        /** @constant */
                        type: "checks";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
                scan: {
                    data: {
                        /** @constant */
                        type: "scans";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
                ingestion: {
                    data: {
                        /** @constant */
                        type: "ingestions";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[findings] names */
        FindingAttributes: {
            /** @description As the scanner named it; not always unique */
            uid: string;
            check_id: string;
            check_title: string | null;
            /**
             * @description unknown: the record named none. other: one of the scanner that OCSF has no word for
             * @enum {string}
             */
            severity: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
            /** @enum {string} */
            status: "PASS" | "FAIL" | "MANUAL";
            /** @description Why it has this status, in words of the scanner */
            status_detail: string | null;
            muted: boolean;
            /**
             * @description Against the upload before: whether the finding is new, or its status has changed
             * @enum {string}
             */
            delta: "new" | "changed" | "unchanged";
            resource: {
                uid: string | null;
                name: string | null;
                type: string | null;
            };
            region: string | null;
            service: string | null;
            provider_type: string;
            /** @description As the provider names it */
            account: string;
            /** @description Of the check */
            categories: string[];
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description Since when it has had its status, as far as is known
             */
            status_changed_at: string;
            /** @description What it was in the upload before, and when; null: no upload before had it */
            previous: {
                /** @enum {string} */
                status: "PASS" | "FAIL" | "MANUAL";
                /**
                 * Format: date-time
                 * @description UTC, with microseconds
                 */
                seen_at: string;
            } | null;
        };
        /** @description An account that findings belong to; each counts toward the subscription */
        Provider: {
            /** @constant */
            type: "providers";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["ProviderAttributes"];
            relationships: {
                findings: {
                    links: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[providers] names */
        ProviderAttributes: {
            /** @description The provider in lower case, like aws */
            type: string;
            /** @description The account's id at the provider */
            account: string;
            /** @description The name of the account in the records that came first */
            name: string | null;
            /** @description A name of your own; null: none. Several providers may have the same */
            alias: string | null;
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            inserted_at: string;
            /** @description The time of its newest record */
            last_seen_at: string | null;
            findings: {
                total: number;
                /** @description Those with the status FAIL that are not muted */
                failing: number;
            };
        };
        /** @description What findings were judged by; its texts are those of its newest record */
        Check: {
            /** @constant */
            type: "checks";
            /** @description provider_type and check_id with a dot between them; in provider_type % is written as %25 and . as %2E */
            id: string;
            attributes: components["schemas"]["CheckAttributes"];
            relationships: {
                findings: {
                    links: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[checks] names */
        CheckAttributes: {
            provider_type: string;
            check_id: string;
            title: string | null;
            description: string | null;
            risk: string | null;
            remediation: string | null;
            references: string[];
            categories: string[];
            /** @description The highest of its findings (other: they have nothing else); null: it has no findings of a live provider */
            severity: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other") | null;
            findings: {
                total: number;
                /** @description Those with the status FAIL that are not muted */
                failing: number;
            };
        };
        /** @description What one upload brought of one provider under one scan id of its records */
        Scan: {
            /** @constant */
            type: "scans";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["ScanAttributes"];
            relationships: {
                provider: {
                    data: {
                        /** @constant */
                        type: "providers";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
                ingestion: {
                    data: {
                        /** @constant */
                        type: "ingestions";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[scans] names */
        ScanAttributes: {
            /** @description The scan id in the records; null: they name none */
            uid: string | null;
            /**
             * Format: date-time
             * @description The time of its earliest record
             */
            started_at: string;
            /**
             * Format: date-time
             * @description The time of its latest record
             */
            ended_at: string;
            /**
             * Format: date-time
             * @description When the upload that brought it was accepted
             */
            inserted_at: string;
            /** @description Good records; all other counts of records are among them */
            records: number;
            /** @description Records that are FAIL and not muted */
            failed: number;
            /** @description Records that are muted, whatever their status */
            muted: number;
            /** @description All records, muted or not */
            by_status: {
                PASS: number;
                FAIL: number;
                MANUAL: number;
            };
            /** @description All records, muted or not */
            by_severity: {
                unknown: number;
                informational: number;
                low: number;
                medium: number;
                high: number;
                critical: number;
                fatal: number;
                other: number;
            };
            /** @description Records that are FAIL and not muted */
            failed_by_severity: {
                unknown: number;
                informational: number;
                low: number;
                medium: number;
                high: number;
                critical: number;
                fatal: number;
                other: number;
            };
            /** @description Findings that no earlier upload had */
            new: number;
            /** @description Findings whose status differs from that in the upload before */
            changed: number;
        };
        /** @description How many findings there are under the filters of the request, muted ones among them */
        FindingSummary: {
            /** @constant */
            type: "finding-summaries";
            /** @constant */
            id: "findings";
            attributes: components["schemas"]["FindingSummaryAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[finding-summaries] names */
        FindingSummaryAttributes: {
            count: number;
            /** @description Those that fail and are not muted */
            failed: number;
            muted: number;
            by_status: {
                PASS: number;
                FAIL: number;
                MANUAL: number;
            };
            by_severity: {
                unknown: {
                    count: number;
                    /** @description Those that fail and are not muted */
                    failed: number;
                };
                informational: {
                    count: number;
                    /** @description Those that fail and are not muted */
                    failed: number;
                };
                low: {
                    count: number;
                    /** @description Those that fail and are not muted */
                    failed: number;
                };
                medium: {
                    count: number;
                    /** @description Those that fail and are not muted */
                    failed: number;
                };
                high: {
                    count: number;
                    /** @description Those that fail and are not muted */
                    failed: number;
                };
                critical: {
                    count: number;
                    /** @description Those that fail and are not muted */
                    failed: number;
                };
                fatal: {
                    count: number;
                    /** @description Those that fail and are not muted */
                    failed: number;
                };
                other: {
                    count: number;
                    /** @description Those that fail and are not muted */
                    failed: number;
                };
            };
            by_delta: {
                new: number;
                changed: number;
                unchanged: number;
            };
            /** @description Those with most failures first, 1000 at most */
            by_provider: {
                /** Format: uuid */
                id: string;
                provider_type: string;
                account: string;
                count: number;
                /** @description Those that fail and are not muted */
                failed: number;
            }[];
            /** @description Providers that have such findings */
            providers: number;
            /** @description Those with most failures first, 1000 at most; null: findings without a service */
            by_service: {
                service: string | null;
                count: number;
                /** @description Those that fail and are not muted */
                failed: number;
            }[];
            /** @description Services that have such findings */
            services: number;
        };
        /** @description A finding and the record that it was read from */
        FindingWithRecord: {
            /** @constant */
            type: "findings";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["FindingWithRecordAttributes"];
            relationships: {
                provider: {
                    data: {
                        /** @constant */
                        type: "providers";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
                check: {
                    data: {
                        /** @constant */
                        type: "checks";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
                scan: {
                    data: {
                        /** @constant */
                        type: "scans";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
                ingestion: {
                    data: {
                        /** @constant */
                        type: "ingestions";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[findings] names */
        FindingWithRecordAttributes: {
            /** @description As the scanner named it; not always unique */
            uid: string;
            check_id: string;
            check_title: string | null;
            /**
             * @description unknown: the record named none. other: one of the scanner that OCSF has no word for
             * @enum {string}
             */
            severity: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
            /** @enum {string} */
            status: "PASS" | "FAIL" | "MANUAL";
            /** @description Why it has this status, in words of the scanner */
            status_detail: string | null;
            muted: boolean;
            /**
             * @description Against the upload before: whether the finding is new, or its status has changed
             * @enum {string}
             */
            delta: "new" | "changed" | "unchanged";
            resource: {
                uid: string | null;
                name: string | null;
                type: string | null;
            };
            region: string | null;
            service: string | null;
            provider_type: string;
            /** @description As the provider names it */
            account: string;
            /** @description Of the check */
            categories: string[];
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description Since when it has had its status, as far as is known
             */
            status_changed_at: string;
            /** @description What it was in the upload before, and when; null: no upload before had it */
            previous: {
                /** @enum {string} */
                status: "PASS" | "FAIL" | "MANUAL";
                /**
                 * Format: date-time
                 * @description UTC, with microseconds
                 */
                seen_at: string;
            } | null;
            /** @description The record as it was submitted, byte for byte: with its repeated keys, spellings of numbers and white space, which most JSON parsers drop */
            raw: {
                [key: string]: unknown;
            };
        };
        /** @description How many findings have failed over time */
        FindingTrend: {
            /** @constant */
            type: "finding-trends";
            /** @constant */
            id: "findings";
            attributes: components["schemas"]["FindingTrendAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[finding-trends] names */
        FindingTrendAttributes: {
            /** @description The last 90 days, today at the end */
            days: {
                /**
                 * Format: date
                 * @description In UTC
                 */
                date: string;
                /** @description Those that failed at the end of the day and were not muted */
                failed: number;
                failed_by_severity: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings that no upload before had */
                new: number;
                /** @description Findings whose status changed */
                changed: number;
                /** @description Providers that had been scanned by then */
                providers: number;
            }[];
        };
        /** @description A key by which a program may use this API for a user */
        ApiKey: {
            /** @constant */
            type: "api-keys";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["ApiKeyAttributes"];
            relationships: {
                user: {
                    data: {
                        /** @constant */
                        type: "users";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[api-keys] names */
        ApiKeyAttributes: {
            /** @description What the key begins with, up to the dot */
            prefix: string;
            /** @description null: a key that an operator made */
            name: string | null;
            /** @description What the key is narrowed to; null: all that its user may do */
            permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[] | null;
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            inserted_at: string;
            /** @description null: never */
            expires_at: string | null;
            revoked_at: string | null;
            /** @description When it was last accepted. Written once in a while (a minute, unless the operator says otherwise), so that a process that is killed takes its latest with it; null: never */
            last_used_at: string | null;
        };
        /** @description Somebody, or something, that has API keys and may do what its roles allow */
        User: {
            /** @constant */
            type: "users";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["UserAttributes"];
            relationships: {
                roles: {
                    data: {
                        /** @constant */
                        type: "roles";
                        id: string;
                    }[];
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[users] names */
        UserAttributes: {
            email: string;
            /** @description The sum of what the roles allow */
            permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            inserted_at: string;
        };
        /** @description A new key, with all of it */
        CreatedApiKey: {
            /** @constant */
            type: "api-keys";
            /** Format: uuid */
            id: string;
            attributes: {
                /** @description What the key begins with, up to the dot */
                prefix: string;
                /** @description null: a key that an operator made */
                name: string | null;
                /** @description What the key is narrowed to; null: all that its user may do */
                permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[] | null;
                /**
                 * Format: date-time
                 * @description UTC, with microseconds
                 */
                inserted_at: string;
                /** @description null: never */
                expires_at: string | null;
                revoked_at: string | null;
                /** @description When it was last accepted. Written once in a while (a minute, unless the operator says otherwise), so that a process that is killed takes its latest with it; null: never */
                last_used_at: string | null;
                /** @description The key. It is shown this once and stored nowhere: keep it */
                key: string;
            };
            relationships: {
                user: {
                    data: {
                        /** @constant */
                        type: "users";
                        /** Format: uuid */
                        id: string;
                    };
                };
            };
            links: {
                /** Format: uri */
                self: string;
            };
        };
        /** @description Permissions under a name, to be given to users */
        Role: {
            /** @constant */
            type: "roles";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["RoleAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[roles] names */
        RoleAttributes: {
            name: string;
            permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
            /** @description How many users have it */
            users: number;
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            inserted_at: string;
        };
        /** @description The tenant's subscription; its id is the tenant's */
        Subscription: {
            /** @constant */
            type: "subscriptions";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["SubscriptionAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[subscriptions] names */
        SubscriptionAttributes: {
            /**
             * @description Uploads need an active one
             * @enum {string}
             */
            state: "active" | "none";
            /** @description Providers counted: one per account, deleted ones not */
            providers: number;
            providers_by_type: {
                type: string;
                providers: number;
            }[];
        };
        /** @description Something that was changed: who did it, when and from where */
        AuditEvent: {
            /** @constant */
            type: "audit-events";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["AuditEventAttributes"];
            relationships: {
                user: {
                    data: {
                        /** @constant */
                        type: "users";
                        id: string;
                    } | null;
                    links?: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[audit-events] names */
        AuditEventAttributes: {
            /** @description What was done to what, like provider.deleted */
            action: string;
            /**
             * @description user: by this API. operator: by a command on the service itself
             * @enum {string}
             */
            actor: "user" | "operator";
            /** @description As it was then; kept when the user is deleted. null: an operator */
            user_email: string | null;
            /** @description Of the key that asked for it. null: an operator */
            api_key_prefix: string | null;
            /** @description Type of the resource that it was done to */
            target_type: string;
            target_id: string;
            /** @description What was set */
            changes: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description UTC, with microseconds
             */
            occurred_at: string;
            /** @description IP address of the client. null: an operator */
            address: string | null;
            /** @description As in the X-Request-Id of the answer. null: an operator */
            request_id: string | null;
        };
        /** @description Every limit in force */
        Limit: {
            /** @constant */
            type: "limits";
            /** @constant */
            id: "limits";
            attributes: components["schemas"]["LimitAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description In lists: attributes that were shortened to 4096 characters or fewer; the resource by itself has all of them */
                truncated?: string[];
            };
        };
        /** @description All of them, or those that fields[limits] names */
        LimitAttributes: {
            /** @description Of a file as received */
            upload_max_bytes: number;
            /** @description Of a file inflated */
            inflated_max_bytes: number;
            /** @description In which a file may come */
            encodings: ("identity" | "gzip" | "zstd")[];
            /** @description Of a multipart form */
            upload_max_parts: number;
            /** @description Others wait for their turn. Each process of the service has as many */
            uploads_at_once: number;
            /** @description Of these. Each process of the service has as many */
            uploads_at_once_per_tenant: number;
            /** @description How long an upload waits for its turn */
            upload_queue_seconds: number;
            /** @description On average over `upload_pace_seconds` */
            upload_min_bytes_per_second: number;
            upload_pace_seconds: number;
            /** @description From the first byte of an upload to its last */
            upload_max_hours: number;
            /** @description Of findings, scans, checks, providers and access; others wait for their turn. Each process of the service has as many */
            reads_at_once: number;
            /** @description Of these. Each process of the service has as many */
            reads_at_once_per_tenant: number;
            /** @description How long a read waits for its turn */
            read_queue_seconds: number;
            /** @description How long a statement of a read may take */
            read_seconds: number;
            record_max_bytes: number;
            record_max_depth: number;
            record_max_keys: number;
            errors_kept_per_job: number;
            default_page_size: number;
            max_page_size: number;
            /** @description Per API key; null: no limit. Each process of the service has as many */
            requests_per_minute: number | null;
            /** @description Per API key; null: no limit. Each process of the service has as many */
            uploads_per_minute: number | null;
            /** @description Refused keys per address (IPv6: per /64) before they are a 429; null: no limit. Each process of the service has as many */
            failed_authentications_per_minute: number | null;
            /** @description At least; then a key makes a new job */
            idempotency_keys_kept_hours: number;
            /** @description At least, from the end of the job on, and as long as a finding needs its record */
            files_kept_days: number;
            /** @description The same for the job and what belongs to it */
            jobs_kept_days: number;
            /** @description Of a JSON:API document in a request */
            document_max_bytes: number;
            /** @description How long such a document may take to come */
            document_seconds: number;
            /** @description Of a request, with its address */
            headers_max_bytes: number;
            headers_max_count: number;
            /** @description How long the headers of a request may take to come */
            header_seconds: number;
            /** @description A connection is closed on which nothing has moved for as long */
            idle_seconds: number;
            /** @description How long a connection is kept for a next request */
            keep_alive_seconds: number;
            /** @description Further ones are closed at once. Each process of the service has as many */
            max_connections: number;
        };
    };
    responses: {
        /** @description The request is wrong; `source` names the parameter, the header or the place in the document */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "400",
                 *           "code": "invalid_parameter",
                 *           "title": "A query parameter is wrong",
                 *           "detail": "The parameter 'limit' is not known here",
                 *           "source": {
                 *             "parameter": "limit"
                 *           }
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The key is missing, malformed, unknown, revoked, expired, or narrowed so that it lacks the permission */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /** @description How to send a key */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "401",
                 *           "code": "invalid_api_key",
                 *           "title": "The API key is not accepted",
                 *           "detail": "This API key was revoked",
                 *           "source": {
                 *             "header": "Authorization"
                 *           }
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The tenant has no active subscription */
        SubscriptionRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "402",
                 *           "code": "subscription_required",
                 *           "title": "A subscription is required",
                 *           "detail": "This tenant has no active subscription; ingestion needs one"
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The user of the key lacks the permission; or the key lacks one that `include` needs, which `source` names then */
        PermissionDenied: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "403",
                 *           "code": "permission_denied",
                 *           "title": "Permission denied",
                 *           "detail": "The user of this API key lacks the permission manage_account; a role with it has to be given to the user"
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description No media type that is asked for can be answered */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "406",
                 *           "code": "not_acceptable",
                 *           "title": "Not acceptable",
                 *           "detail": "Every application/vnd.api+json in the Accept header has parameters that this API does not support; ask for plain application/vnd.api+json",
                 *           "source": {
                 *             "header": "Accept"
                 *           }
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The body came too slowly, or did not come to its end in time; the connection is closed */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "408",
                 *           "code": "upload_too_slow",
                 *           "title": "The request took too long",
                 *           "detail": "An upload must send 1024 bytes a second on average; in the last 60 s 120 bytes came. Nothing of it was kept",
                 *           "meta": {
                 *             "limit": "upload_min_bytes_per_second",
                 *             "min": 1024,
                 *             "seen": 2
                 *           }
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description It is over a limit; `meta` repeats the limit and what was seen */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "413",
                 *           "code": "document_too_large",
                 *           "title": "The document is too large",
                 *           "detail": "The document is larger than 65536 bytes",
                 *           "meta": {
                 *             "limit": "document_max_bytes",
                 *             "max": 65536,
                 *             "seen": 65540
                 *           }
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The media type of the body is not taken */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "415",
                 *           "code": "unsupported_media_type",
                 *           "title": "Unsupported media type",
                 *           "detail": "Send the document as application/vnd.api+json, without parameters",
                 *           "source": {
                 *             "header": "Content-Type"
                 *           }
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The `Idempotency-Key` was used for another upload */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "422",
                 *           "code": "idempotency_key_reused",
                 *           "title": "The Idempotency-Key was used before",
                 *           "detail": "The Idempotency-Key was used for another upload (ingestion 0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11); a new upload needs a key of its own",
                 *           "source": {
                 *             "header": "Idempotency-Key"
                 *           }
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The key has sent too many requests; or too many keys were refused that came from this address, this one too */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /** @description Seconds until it makes sense to ask again */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "429",
                 *           "code": "rate_limited",
                 *           "title": "Too many requests",
                 *           "detail": "This API key may send 600 requests a minute and has sent 601; try again in 12 s"
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The service failed; its log has the reason, under the id of this error */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "500",
                 *           "code": "internal_error",
                 *           "title": "Internal error",
                 *           "detail": "The service failed; the id of this error is in its log"
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description The database or the blob store is unavailable, a statement exceeded a time limit of the database (`database_timeout`), or the upload queue stayed full (`too_many_uploads`); the request can be retried */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /** @description Seconds to wait */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "503",
                 *           "code": "database_unavailable",
                 *           "title": "The service is not available",
                 *           "detail": "The database cannot be reached; try again in 5 s"
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description There is no room left to store what was sent; nothing of it was kept */
        InsufficientStorage: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /** @description Seconds to wait */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "507",
                 *           "code": "insufficient_storage",
                 *           "title": "There is no room left",
                 *           "detail": "The service has no room left to store this; nothing of it was kept. Try again in 60 s"
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description There is no such resource, or it is another tenant's */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "404",
                 *           "code": "not_found",
                 *           "title": "Not found",
                 *           "detail": "There is no ingestion with this id"
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description It was there, but is not kept any more: see `files_kept_days` of the limits */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "410",
                 *           "code": "file_removed",
                 *           "title": "The file is gone",
                 *           "detail": "The file of ingestion 0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11 was removed: its time was over and no finding needed it"
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
        /** @description It contradicts what is there, or names another resource than the address does */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "id": "0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11",
                 *           "status": "409",
                 *           "code": "conflict",
                 *           "title": "The resource is another one",
                 *           "detail": "/data/type names another resource than the address does",
                 *           "source": {
                 *             "pointer": "/data/type"
                 *           }
                 *         }
                 *       ],
                 *       "meta": {
                 *         "version": "v1"
                 *       }
                 *     }
                 */
                "application/vnd.api+json": components["schemas"]["ErrorDocument"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request, as in the log of the service */
        RequestId: string;
        /** @description What is left of each limit of the key, and in how many seconds it is whole again: `"requests_per_minute";r=599;t=42` (draft-ietf-httpapi-ratelimit-headers-10). Not there where there is no limit, or the key was not accepted */
        RateLimit: string;
        /** @description Each limit of the key, and its window in seconds: `"requests_per_minute";q=600;w=60` */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listIngestions: {
        parameters: {
            query?: {
                /** @description Only those whose status is this */
                "filter[status]"?: "pending" | "processing" | "completed" | "failed";
                /** @description Only those whose status is one of these */
                "filter[status__in]"?: ("pending" | "processing" | "completed" | "failed")[];
                /** @description Only those whose completed at is on this day (UTC) */
                "filter[completed_at]"?: string;
                /** @description Only those whose completed at is on this day (UTC) or later */
                "filter[completed_at__gte]"?: string;
                /** @description Only those whose completed at is on this day (UTC) or earlier */
                "filter[completed_at__lte]"?: string;
                /** @description Only those whose inserted at is on this day (UTC) */
                "filter[inserted_at]"?: string;
                /** @description Only those whose inserted at is on this day (UTC) or later */
                "filter[inserted_at__gte]"?: string;
                /** @description Only those whose inserted at is on this day (UTC) or earlier */
                "filter[inserted_at__lte]"?: string;
                /** @description Only those with this text in their id or file name */
                "filter[search]"?: string;
                /** @description Only these attributes of ingestions */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
                /** @description Order; - is descending. Without it: -inserted_at */
                sort?: ("inserted_at" | "-inserted_at" | "requested_at" | "-requested_at" | "started_at" | "-started_at" | "completed_at" | "-completed_at")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Ingestion"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createIngestion: {
        parameters: {
            query?: {
                /** @description Only these attributes of ingestions */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
            };
            header?: {
                /** @description A repeated request gets the first response again and creates no second job, unless a provider of that job was deleted since; with another file it is a 422 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The file, and defaults for its records */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The .ocsf.json file: a JSON array of Detection Findings; gzip and zstd are told by their first bytes
                     */
                    file: string;
                    /** @description For records that name no provider */
                    provider?: string;
                    /** @description For records that name no account */
                    account?: string;
                };
            };
        };
        responses: {
            /** @description The file is safely stored and will be processed */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The job */
                    Location?: string;
                    /** @description The job */
                    "Content-Location"?: string;
                    /** @description Seconds until it makes sense to ask for it */
                    "Retry-After"?: string;
                    /** @description true where an earlier request with this key has the answer */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Ingestion"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            /** Format: uri */
                            scans_url?: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getIngestion: {
        parameters: {
            query?: {
                /** @description Only these attributes of ingestions */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
            };
            header?: never;
            path: {
                /** @description Of one of the ingestions */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description While the job runs: seconds until it makes sense to ask again */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Ingestion"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIngestionErrors: {
        parameters: {
            query?: {
                /** @description Only those whose code is this */
                "filter[code]"?: string;
                /** @description Only those whose code is one of these */
                "filter[code__in]"?: string[];
                /** @description Only these attributes of ingestion-errors */
                "fields[ingestion-errors]"?: ("" | "code" | "detail" | "record_index" | "byte_offset" | "pointer" | "finding_uid")[];
                /** @description Order; - is descending. Without it: byte_offset */
                sort?: ("byte_offset" | "-byte_offset" | "record_index" | "-record_index" | "code" | "-code")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path: {
                /** @description Of one of the ingestions */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of errors */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["IngestionError"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                            /** @description Exact count of each code, also where not all of them were kept */
                            counts: {
                                [key: string]: number;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIngestionWarnings: {
        parameters: {
            query?: {
                /** @description Only those whose code is this */
                "filter[code]"?: string;
                /** @description Only those whose code is one of these */
                "filter[code__in]"?: string[];
                /** @description Only these attributes of ingestion-warnings */
                "fields[ingestion-warnings]"?: ("" | "code" | "detail" | "record_index" | "byte_offset" | "pointer" | "finding_uid")[];
                /** @description Order; - is descending. Without it: byte_offset */
                sort?: ("byte_offset" | "-byte_offset" | "record_index" | "-record_index" | "code" | "-code")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path: {
                /** @description Of one of the ingestions */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of warnings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["IngestionWarning"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                            /** @description Exact count of each code, also where not all of them were kept */
                            counts: {
                                [key: string]: number;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIngestionRecord: {
        parameters: {
            query?: {
                /** @description Only these attributes of ingestion-records */
                "fields[ingestion-records]"?: ("" | "record_index" | "byte_offset" | "bytes" | "raw" | "truncated")[];
            };
            header?: never;
            path: {
                /** @description Of one of the ingestions */
                id: string;
                /** @description Place in the array, from 0 on */
                record_index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["IngestionRecord"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIngestionFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of one of the ingestions */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The name of the upload */
                    "Content-Disposition"?: string;
                    /** @description Bytes of the file; not there where it goes compressed */
                    "Content-Length"?: string;
                    /** @description zstd or gzip; not there where the file goes as it is */
                    "Content-Encoding"?: string;
                    /** @description Accept-Encoding */
                    Vary?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["SubscriptionRequired"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFindings: {
        parameters: {
            query?: {
                /** @description Only those whose status is this */
                "filter[status]"?: "PASS" | "FAIL" | "MANUAL";
                /** @description Only those whose status is one of these */
                "filter[status__in]"?: ("PASS" | "FAIL" | "MANUAL")[];
                /** @description Only those whose severity is this */
                "filter[severity]"?: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
                /** @description Only those whose severity is one of these */
                "filter[severity__in]"?: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[];
                /** @description Only those whose delta is this */
                "filter[delta]"?: "new" | "changed" | "unchanged";
                /** @description Only those whose delta is one of these */
                "filter[delta__in]"?: ("new" | "changed" | "unchanged")[];
                /** @description Only those that are muted (true), or those that are not (false) */
                "filter[muted]"?: "true" | "false";
                /** @description Only those whose provider is this */
                "filter[provider]"?: string;
                /** @description Only those whose provider is one of these */
                "filter[provider__in]"?: string[];
                /** @description Only those whose provider type is this */
                "filter[provider_type]"?: string;
                /** @description Only those whose provider type is one of these */
                "filter[provider_type__in]"?: string[];
                /** @description Only those whose account is this */
                "filter[account]"?: string;
                /** @description Only those whose account is one of these */
                "filter[account__in]"?: string[];
                /** @description Only those whose service is this */
                "filter[service]"?: string;
                /** @description Only those whose service is one of these */
                "filter[service__in]"?: string[];
                /** @description Only those whose uid is this */
                "filter[uid]"?: string;
                /** @description Only those whose uid is one of these */
                "filter[uid__in]"?: string[];
                /** @description Only those whose check id is this */
                "filter[check_id]"?: string;
                /** @description Only those whose check id is one of these */
                "filter[check_id__in]"?: string[];
                /** @description Only those whose region is this */
                "filter[region]"?: string;
                /** @description Only those whose region is one of these */
                "filter[region__in]"?: string[];
                /** @description Only those whose resource uid is this */
                "filter[resource_uid]"?: string;
                /** @description Only those whose resource uid is one of these */
                "filter[resource_uid__in]"?: string[];
                /** @description Only those whose scan is this */
                "filter[scan]"?: string;
                /** @description Only those whose scan is one of these */
                "filter[scan__in]"?: string[];
                /** @description Only those whose ingestion is this */
                "filter[ingestion]"?: string;
                /** @description Only those whose ingestion is one of these */
                "filter[ingestion__in]"?: string[];
                /** @description Only those whose category is this */
                "filter[category]"?: string;
                /** @description Only those whose category is one of these */
                "filter[category__in]"?: string[];
                /** @description Only those whose first seen at is on this day (UTC) */
                "filter[first_seen_at]"?: string;
                /** @description Only those whose first seen at is on this day (UTC) or later */
                "filter[first_seen_at__gte]"?: string;
                /** @description Only those whose first seen at is on this day (UTC) or earlier */
                "filter[first_seen_at__lte]"?: string;
                /** @description Only those whose last seen at is on this day (UTC) */
                "filter[last_seen_at]"?: string;
                /** @description Only those whose last seen at is on this day (UTC) or later */
                "filter[last_seen_at__gte]"?: string;
                /** @description Only those whose last seen at is on this day (UTC) or earlier */
                "filter[last_seen_at__lte]"?: string;
                /** @description Only those whose status changed at is on this day (UTC) */
                "filter[status_changed_at]"?: string;
                /** @description Only those whose status changed at is on this day (UTC) or later */
                "filter[status_changed_at__gte]"?: string;
                /** @description Only those whose status changed at is on this day (UTC) or earlier */
                "filter[status_changed_at__lte]"?: string;
                /** @description Only those with this text in the title of their check, their resource name or uid, or their status detail */
                "filter[search]"?: string;
                /** @description Only these attributes of findings */
                "fields[findings]"?: ("" | "uid" | "check_id" | "check_title" | "severity" | "status" | "status_detail" | "muted" | "delta" | "resource" | "region" | "service" | "provider_type" | "account" | "categories" | "first_seen_at" | "last_seen_at" | "status_changed_at" | "previous")[];
                /** @description Only these attributes of providers */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Only these attributes of checks */
                "fields[checks]"?: ("" | "provider_type" | "check_id" | "title" | "description" | "risk" | "remediation" | "references" | "categories" | "severity" | "findings")[];
                /** @description Only these attributes of scans */
                "fields[scans]"?: ("" | "uid" | "started_at" | "ended_at" | "inserted_at" | "records" | "failed" | "muted" | "by_status" | "by_severity" | "failed_by_severity" | "new" | "changed")[];
                /** @description Related resources to bring along */
                include?: ("" | "provider" | "check" | "scan")[];
                /** @description Order; - is descending. Without it: -severity */
                sort?: ("severity" | "-severity" | "status" | "-status" | "last_seen_at" | "-last_seen_at" | "first_seen_at" | "-first_seen_at" | "check_id" | "-check_id" | "id" | "-id")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
                /** @description To read on however far: empty for the start, then the cursor of links.next. page[number] does not count then */
                "page[after]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of findings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Finding"][];
                        included?: (components["schemas"]["Provider"] | components["schemas"]["Check"] | components["schemas"]["Scan"])[];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    summarizeFindings: {
        parameters: {
            query?: {
                /** @description Only those whose status is this */
                "filter[status]"?: "PASS" | "FAIL" | "MANUAL";
                /** @description Only those whose status is one of these */
                "filter[status__in]"?: ("PASS" | "FAIL" | "MANUAL")[];
                /** @description Only those whose severity is this */
                "filter[severity]"?: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
                /** @description Only those whose severity is one of these */
                "filter[severity__in]"?: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[];
                /** @description Only those whose delta is this */
                "filter[delta]"?: "new" | "changed" | "unchanged";
                /** @description Only those whose delta is one of these */
                "filter[delta__in]"?: ("new" | "changed" | "unchanged")[];
                /** @description Only those that are muted (true), or those that are not (false) */
                "filter[muted]"?: "true" | "false";
                /** @description Only those whose provider is this */
                "filter[provider]"?: string;
                /** @description Only those whose provider is one of these */
                "filter[provider__in]"?: string[];
                /** @description Only those whose provider type is this */
                "filter[provider_type]"?: string;
                /** @description Only those whose provider type is one of these */
                "filter[provider_type__in]"?: string[];
                /** @description Only those whose account is this */
                "filter[account]"?: string;
                /** @description Only those whose account is one of these */
                "filter[account__in]"?: string[];
                /** @description Only those whose service is this */
                "filter[service]"?: string;
                /** @description Only those whose service is one of these */
                "filter[service__in]"?: string[];
                /** @description Only those whose uid is this */
                "filter[uid]"?: string;
                /** @description Only those whose uid is one of these */
                "filter[uid__in]"?: string[];
                /** @description Only those whose check id is this */
                "filter[check_id]"?: string;
                /** @description Only those whose check id is one of these */
                "filter[check_id__in]"?: string[];
                /** @description Only those whose region is this */
                "filter[region]"?: string;
                /** @description Only those whose region is one of these */
                "filter[region__in]"?: string[];
                /** @description Only those whose resource uid is this */
                "filter[resource_uid]"?: string;
                /** @description Only those whose resource uid is one of these */
                "filter[resource_uid__in]"?: string[];
                /** @description Only those whose scan is this */
                "filter[scan]"?: string;
                /** @description Only those whose scan is one of these */
                "filter[scan__in]"?: string[];
                /** @description Only those whose ingestion is this */
                "filter[ingestion]"?: string;
                /** @description Only those whose ingestion is one of these */
                "filter[ingestion__in]"?: string[];
                /** @description Only those whose category is this */
                "filter[category]"?: string;
                /** @description Only those whose category is one of these */
                "filter[category__in]"?: string[];
                /** @description Only those whose first seen at is on this day (UTC) */
                "filter[first_seen_at]"?: string;
                /** @description Only those whose first seen at is on this day (UTC) or later */
                "filter[first_seen_at__gte]"?: string;
                /** @description Only those whose first seen at is on this day (UTC) or earlier */
                "filter[first_seen_at__lte]"?: string;
                /** @description Only those whose last seen at is on this day (UTC) */
                "filter[last_seen_at]"?: string;
                /** @description Only those whose last seen at is on this day (UTC) or later */
                "filter[last_seen_at__gte]"?: string;
                /** @description Only those whose last seen at is on this day (UTC) or earlier */
                "filter[last_seen_at__lte]"?: string;
                /** @description Only those whose status changed at is on this day (UTC) */
                "filter[status_changed_at]"?: string;
                /** @description Only those whose status changed at is on this day (UTC) or later */
                "filter[status_changed_at__gte]"?: string;
                /** @description Only those whose status changed at is on this day (UTC) or earlier */
                "filter[status_changed_at__lte]"?: string;
                /** @description Only those with this text in the title of their check, their resource name or uid, or their status detail */
                "filter[search]"?: string;
                /** @description Only these attributes of finding-summaries */
                "fields[finding-summaries]"?: ("" | "count" | "failed" | "muted" | "by_status" | "by_severity" | "by_delta" | "by_provider" | "providers" | "by_service" | "services")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["FindingSummary"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFinding: {
        parameters: {
            query?: {
                /** @description Only these attributes of findings */
                "fields[findings]"?: ("" | "uid" | "check_id" | "check_title" | "severity" | "status" | "status_detail" | "muted" | "delta" | "resource" | "region" | "service" | "provider_type" | "account" | "categories" | "first_seen_at" | "last_seen_at" | "status_changed_at" | "previous" | "raw")[];
                /** @description Only these attributes of providers */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Only these attributes of checks */
                "fields[checks]"?: ("" | "provider_type" | "check_id" | "title" | "description" | "risk" | "remediation" | "references" | "categories" | "severity" | "findings")[];
                /** @description Only these attributes of scans */
                "fields[scans]"?: ("" | "uid" | "started_at" | "ended_at" | "inserted_at" | "records" | "failed" | "muted" | "by_status" | "by_severity" | "failed_by_severity" | "new" | "changed")[];
                /** @description Related resources to bring along */
                include?: ("" | "provider" | "check" | "scan")[];
            };
            header?: never;
            path: {
                /** @description Of one of the findings */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The finding */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["FindingWithRecord"];
                        included?: (components["schemas"]["Provider"] | components["schemas"]["Check"] | components["schemas"]["Scan"])[];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readFindingTrend: {
        parameters: {
            query?: {
                /** @description Only those whose provider is this */
                "filter[provider]"?: string;
                /** @description Only those whose provider is one of these */
                "filter[provider__in]"?: string[];
                /** @description Only those whose provider type is this */
                "filter[provider_type]"?: string;
                /** @description Only those whose provider type is one of these */
                "filter[provider_type__in]"?: string[];
                /** @description Only those whose account is this */
                "filter[account]"?: string;
                /** @description Only those whose account is one of these */
                "filter[account__in]"?: string[];
                /** @description Only these attributes of finding-trends */
                "fields[finding-trends]"?: ("" | "days")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts by day */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["FindingTrend"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** @description Only those whose ingestion is this */
                "filter[ingestion]"?: string;
                /** @description Only those whose ingestion is one of these */
                "filter[ingestion__in]"?: string[];
                /** @description Only those whose provider is this */
                "filter[provider]"?: string;
                /** @description Only those whose provider is one of these */
                "filter[provider__in]"?: string[];
                /** @description Only those whose provider type is this */
                "filter[provider_type]"?: string;
                /** @description Only those whose provider type is one of these */
                "filter[provider_type__in]"?: string[];
                /** @description Only those whose account is this */
                "filter[account]"?: string;
                /** @description Only those whose account is one of these */
                "filter[account__in]"?: string[];
                /** @description Only those whose uid is this */
                "filter[uid]"?: string;
                /** @description Only those whose uid is one of these */
                "filter[uid__in]"?: string[];
                /** @description Only those whose inserted at is on this day (UTC) */
                "filter[inserted_at]"?: string;
                /** @description Only those whose inserted at is on this day (UTC) or later */
                "filter[inserted_at__gte]"?: string;
                /** @description Only those whose inserted at is on this day (UTC) or earlier */
                "filter[inserted_at__lte]"?: string;
                /** @description Only those with this text in their uid, their account or the name of their file */
                "filter[search]"?: string;
                /** @description Only these attributes of scans */
                "fields[scans]"?: ("" | "uid" | "started_at" | "ended_at" | "inserted_at" | "records" | "failed" | "muted" | "by_status" | "by_severity" | "failed_by_severity" | "new" | "changed")[];
                /** @description Only these attributes of providers */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Only these attributes of ingestions */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "provider" | "ingestion")[];
                /** @description Order; - is descending. Without it: -inserted_at */
                sort?: ("inserted_at" | "-inserted_at" | "records" | "-records" | "failed" | "-failed")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of scans */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Scan"][];
                        included?: (components["schemas"]["Provider"] | components["schemas"]["Ingestion"])[];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getScan: {
        parameters: {
            query?: {
                /** @description Only these attributes of scans */
                "fields[scans]"?: ("" | "uid" | "started_at" | "ended_at" | "inserted_at" | "records" | "failed" | "muted" | "by_status" | "by_severity" | "failed_by_severity" | "new" | "changed")[];
                /** @description Only these attributes of providers */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Only these attributes of ingestions */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "provider" | "ingestion")[];
            };
            header?: never;
            path: {
                /** @description Of one of the scans */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scan */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Scan"];
                        included?: (components["schemas"]["Provider"] | components["schemas"]["Ingestion"])[];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProviders: {
        parameters: {
            query?: {
                /** @description Only those whose type is this */
                "filter[type]"?: string;
                /** @description Only those whose type is one of these */
                "filter[type__in]"?: string[];
                /** @description Only those whose account is this */
                "filter[account]"?: string;
                /** @description Only those whose account is one of these */
                "filter[account__in]"?: string[];
                /** @description Only those whose alias is this */
                "filter[alias]"?: string;
                /** @description Only those with this text in their account, name or alias */
                "filter[search]"?: string;
                /** @description Only these attributes of providers */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Order; - is descending. Without it: type,account */
                sort?: ("type" | "-type" | "account" | "-account" | "alias" | "-alias" | "inserted_at" | "-inserted_at")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of providers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Provider"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProvider: {
        parameters: {
            query?: {
                /** @description Only these attributes of providers */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
            };
            header?: never;
            path: {
                /** @description Of one of the providers */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Provider"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of one of the providers */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider is deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProvider: {
        parameters: {
            query?: {
                /** @description Only these attributes of providers */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
            };
            header?: never;
            path: {
                /** @description Of one of the providers */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["ProviderChange"];
            };
        };
        responses: {
            /** @description The provider as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Provider"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listChecks: {
        parameters: {
            query?: {
                /** @description Only those whose provider type is this */
                "filter[provider_type]"?: string;
                /** @description Only those whose provider type is one of these */
                "filter[provider_type__in]"?: string[];
                /** @description Only those that have this among their categories */
                "filter[category]"?: string;
                /** @description Only those with this text in their title or id */
                "filter[search]"?: string;
                /** @description Only these attributes of checks */
                "fields[checks]"?: ("" | "provider_type" | "check_id" | "title" | "description" | "risk" | "remediation" | "references" | "categories" | "severity" | "findings")[];
                /** @description Order; - is descending. Without it: check_id */
                sort?: ("check_id" | "-check_id" | "title" | "-title" | "failing" | "-failing")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of checks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Check"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCheck: {
        parameters: {
            query?: {
                /** @description Only these attributes of checks */
                "fields[checks]"?: ("" | "provider_type" | "check_id" | "title" | "description" | "risk" | "remediation" | "references" | "categories" | "severity" | "findings")[];
            };
            header?: never;
            path: {
                /** @description Of one of the checks */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The check */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Check"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Only those whose user is this */
                "filter[user]"?: string;
                /** @description Only those whose user is one of these */
                "filter[user__in]"?: string[];
                /** @description Only those that were revoked, or only the others; expired ones are no matter here */
                "filter[revoked]"?: "true" | "false";
                /** @description Only those with this text in their name or prefix */
                "filter[search]"?: string;
                /** @description Only these attributes of api-keys */
                "fields[api-keys]"?: ("" | "prefix" | "name" | "permissions" | "inserted_at" | "expires_at" | "revoked_at" | "last_used_at")[];
                /** @description Only these attributes of users */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "user")[];
                /** @description Order; - is descending. Without it: -inserted_at */
                sort?: ("inserted_at" | "-inserted_at" | "expires_at" | "-expires_at" | "last_used_at" | "-last_used_at")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["ApiKey"][];
                        included?: components["schemas"]["User"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The key, with all of it */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The key, without its secret */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["CreatedApiKey"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getApiKey: {
        parameters: {
            query?: {
                /** @description Only these attributes of api-keys */
                "fields[api-keys]"?: ("" | "prefix" | "name" | "permissions" | "inserted_at" | "expires_at" | "revoked_at" | "last_used_at")[];
                /** @description Only these attributes of users */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "user")[];
            };
            header?: never;
            path: {
                /** @description Of one of the api-keys */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["ApiKey"];
                        included?: components["schemas"]["User"][];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of one of the api-keys */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Only the one with this email, in whatever case */
                "filter[email]"?: string;
                /** @description Only those who have the role of this id */
                "filter[role]"?: string;
                /** @description Only those with this text in their id or email */
                "filter[search]"?: string;
                /** @description Only these attributes of users */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Only these attributes of roles */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "roles")[];
                /** @description Order; - is descending. Without it: email */
                sort?: ("email" | "-email" | "inserted_at" | "-inserted_at")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["User"][];
                        included?: components["schemas"]["Role"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: {
                /** @description Only these attributes of users */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Only these attributes of roles */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "roles")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description The user */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The user */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["User"];
                        included?: components["schemas"]["Role"][];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getUser: {
        parameters: {
            query?: {
                /** @description Only these attributes of users */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Only these attributes of roles */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "roles")[];
            };
            header?: never;
            path: {
                /** @description Of one of the users */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["User"];
                        included?: components["schemas"]["Role"][];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of one of the users */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: {
                /** @description Only these attributes of users */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Only these attributes of roles */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "roles")[];
            };
            header?: never;
            path: {
                /** @description Of one of the users */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["UserChanges"];
            };
        };
        responses: {
            /** @description The user as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["User"];
                        included?: components["schemas"]["Role"][];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /** @description Only those that allow this */
                "filter[permission]"?: "manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans";
                /** @description Only those with this text in their id or name */
                "filter[search]"?: string;
                /** @description Only these attributes of roles */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Order; - is descending. Without it: name */
                sort?: ("name" | "-name" | "inserted_at" | "-inserted_at")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of roles */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Role"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRole: {
        parameters: {
            query?: {
                /** @description Only these attributes of roles */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            /** @description The role */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The role */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Role"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getRole: {
        parameters: {
            query?: {
                /** @description Only these attributes of roles */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
            };
            header?: never;
            path: {
                /** @description Of one of the roles */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Role"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of one of the roles */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRole: {
        parameters: {
            query?: {
                /** @description Only these attributes of roles */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
            };
            header?: never;
            path: {
                /** @description Of one of the roles */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["RoleChanges"];
            };
        };
        responses: {
            /** @description The role as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Role"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getSubscription: {
        parameters: {
            query?: {
                /** @description Only these attributes of subscriptions */
                "fields[subscriptions]"?: ("" | "state" | "providers" | "providers_by_type")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Subscription"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Only those whose action is this */
                "filter[action]"?: string;
                /** @description Only those whose action is one of these */
                "filter[action__in]"?: string[];
                /** @description Only those whose user is this */
                "filter[user]"?: string;
                /** @description Only those whose user is one of these */
                "filter[user__in]"?: string[];
                /** @description Only those whose target type is this */
                "filter[target_type]"?: string;
                /** @description Only those whose target type is one of these */
                "filter[target_type__in]"?: string[];
                /** @description Only those whose target id is this */
                "filter[target_id]"?: string;
                /** @description Only those whose target id is one of these */
                "filter[target_id__in]"?: string[];
                /** @description Only those whose occurred at is on this day (UTC) */
                "filter[occurred_at]"?: string;
                /** @description Only those whose occurred at is on this day (UTC) or later */
                "filter[occurred_at__gte]"?: string;
                /** @description Only those whose occurred at is on this day (UTC) or earlier */
                "filter[occurred_at__lte]"?: string;
                /** @description Only these attributes of audit-events */
                "fields[audit-events]"?: ("" | "action" | "actor" | "user_email" | "api_key_prefix" | "target_type" | "target_id" | "changes" | "occurred_at" | "address" | "request_id")[];
                /** @description Only these attributes of users */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "user")[];
                /** @description Order; - is descending. Without it: -occurred_at */
                sort?: ("occurred_at" | "-occurred_at")[];
                /** @description From 1 on */
                "page[number]"?: number;
                /** @description Resources on a page; without it 10 */
                "page[size]"?: number;
                /** @description To read on however far: empty for the start, then the cursor of links.next. page[number] does not count then */
                "page[after]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["AuditEvent"][];
                        included?: components["schemas"]["User"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Where the response would have more than 16777216 bytes: the length that texts were shortened to */
                            text_max_length?: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuditEvent: {
        parameters: {
            query?: {
                /** @description Only these attributes of audit-events */
                "fields[audit-events]"?: ("" | "action" | "actor" | "user_email" | "api_key_prefix" | "target_type" | "target_id" | "changes" | "occurred_at" | "address" | "request_id")[];
                /** @description Only these attributes of users */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Related resources to bring along */
                include?: ("" | "user")[];
            };
            header?: never;
            path: {
                /** @description Of one of the audit-events */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["AuditEvent"];
                        included?: components["schemas"]["User"][];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLimits: {
        parameters: {
            query?: {
                /** @description Only these attributes of limits */
                "fields[limits]"?: ("" | "upload_max_bytes" | "inflated_max_bytes" | "encodings" | "upload_max_parts" | "uploads_at_once" | "uploads_at_once_per_tenant" | "upload_queue_seconds" | "upload_min_bytes_per_second" | "upload_pace_seconds" | "upload_max_hours" | "reads_at_once" | "reads_at_once_per_tenant" | "read_queue_seconds" | "read_seconds" | "record_max_bytes" | "record_max_depth" | "record_max_keys" | "errors_kept_per_job" | "default_page_size" | "max_page_size" | "requests_per_minute" | "uploads_per_minute" | "failed_authentications_per_minute" | "idempotency_keys_kept_hours" | "files_kept_days" | "jobs_kept_days" | "document_max_bytes" | "document_seconds" | "headers_max_bytes" | "headers_max_count" | "header_seconds" | "idle_seconds" | "keep_alive_seconds" | "max_connections")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Limit"];
                        meta: {
                            /**
                             * @description Version of the API
                             * @constant
                             */
                            version: "v1";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
