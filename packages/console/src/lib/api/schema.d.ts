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
         * @description Requires the permission `manage_ingestions`.
         */
        get: operations["listIngestions"];
        put?: never;
        /**
         * Upload a file of findings
         * @description Each record requires `class_uid` 2004, `finding_info.uid`, `metadata.event_code` (up to 512 characters), a provider (`cloud.provider`, `unmapped.provider` or the form field `provider`; up to 100 characters), an account (`cloud.account.uid`, `unmapped.provider_uid` or the form field `account`; up to 512 characters) and `status_code` (PASS, FAIL, MANUAL or MUTED, in any case). Records that lack any of these fields are reported as job errors; all others are ingested. All other fields are optional. Invalid values in them are ignored with a warning. Account IDs are compared in Unicode normalization form C; invisible characters and surrounding whitespace are ignored. UUIDs for `azure`, `entra` and `m365` and host names for `okta` are compared case-insensitively. `severity_id`, `status_id` and times can be numbers or numeric strings. A time later than the upload is replaced with the upload time. If it is more than five minutes later, the job also has a warning. If two records describe the same finding at the same time, FAIL takes precedence over MANUAL, MANUAL over PASS, unmuted over muted, and the later record in the file over the earlier one. Requires the permission `manage_ingestions`.
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
         * @description Requires the permission `manage_ingestions`.
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
    "/api/v1/ingestions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest a stored file again
         * @description Creates a new job from the file of an ended job, with other defaults and the same other form fields. All records are processed again. The new job does not use the defaults of the original job: if the document omits `provider` or `account`, there is no such default. The original job does not change. Counts as an upload in the rate limit. Returns `409` (`ingestion_in_progress`) if the original job has not ended, and `410` if its file was removed. Requires the permission `manage_ingestions`.
         */
        post: operations["retryIngestion"];
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
         * List a job's errors
         * @description Requires the permission `manage_ingestions`.
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
         * List a job's warnings
         * @description Requires the permission `manage_ingestions`.
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
    "/api/v1/ingestions/{id}/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dry run's report
         * @description Returns what the upload would do. Returns `404` if the job is not a dry run, and `409` (`ingestion_in_progress`) if it has not ended. Requires the permission `manage_ingestions`.
         */
        get: operations["getDryRun"];
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
         * Get a record from an uploaded file
         * @description Returns a record as it was uploaded, whether it is valid or not. The errors of a job refer to records by `record_index`. Requires the permissions `manage_ingestions` and `read_findings`.
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
         * Download a job's uploaded file
         * @description Returns the uploaded file byte for byte, including invalid records. Compressed uploads are decompressed first. The response is compressed if `Accept-Encoding` includes zstd or gzip. Requires the permissions `manage_ingestions` and `read_findings`.
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
         * @description Severities are sorted by OCSF `severity_id`: `unknown`, `informational`, `low`, `medium`, `high`, `critical`, `fatal`, and finally `other`, which may be more severe than any of them. Statuses are sorted as PASS, FAIL, MANUAL. Accounts are sorted by their ID. Resources are sorted by name, or by uid if they have no name; findings without a resource come last in both directions. To read a large number of findings, start with an empty `page[after]` and follow `links.next`; later pages are as fast as the first. If you sort by `id`, `check_id` or `account`, which never change, each finding is returned exactly once, even while uploads are processed. With any other sort order, a finding that changes in the meantime may be skipped or returned twice. Requires the permission `read_findings`.
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
         * @description Returns the number of findings by status, severity, delta, provider, service, region, resource type and category. Supports the same filters as the findings list. Requires the permission `read_findings`.
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
    "/api/v1/findings/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Group findings
         * @description Returns the number of findings by check, resource, account, service or region. Supports the same filters as the findings list. Ties are broken by the number of failing findings, and then by the numbers of failing fatal, critical and high findings. For faster responses, exclude `resources` and `oldest_failing_at` with `fields[finding-groups]`. Requires the permission `read_findings`.
         */
        get: operations["groupFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/findings/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export findings
         * @description Returns all matching findings in one response, in the order of the findings list and as of one point in time. `ocsf` returns the records as they were submitted. A tenant can run one export at a time. To resume an interrupted export as CSV or NDJSON, remove the last line if it is incomplete, and send the ID of the last finding as `page[after]` and its values as `page[after_values]`. The response then has no header line. If the finding has moved in the sort order, the response is 409 (`finding_changed`): start the export again. An export as OCSF cannot be resumed. Requires the permission `read_findings`.
         */
        get: operations["exportFindings"];
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
         * Get a finding
         * @description The response includes the OCSF record in the attribute `raw`. Requires the permission `read_findings`.
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
    "/api/v1/findings/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a finding's changes
         * @description Returns the changes of a finding, by default the newest first, with the upload and the scan that caused them. Records that do not change the finding are not included. Requires the permission `read_findings`.
         */
        get: operations["listFindingHistory"];
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
         * @description Returns the number of failing findings at the end of each day or hour (UTC). A change counts from the time at which it was stored, regardless of the timestamps in records, so earlier points never change. The last point equals the summary. If an account is deleted, its findings remain in earlier points. For data from a release without this history, the trend begins with the upgrade. Requires the permission `read_findings`.
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
         * @description Requires the permission `read_findings`. `include=ingestion` requires the permission `manage_ingestions`.
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
         * @description Requires the permission `read_findings`. `include=ingestion` requires the permission `manage_ingestions`.
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
         * @description Requires the permission `read_findings`.
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
         * @description Requires the permission `read_findings`.
         */
        get: operations["getProvider"];
        put?: never;
        post?: never;
        /**
         * Delete a provider
         * @description Also deletes the provider's findings and scans. They disappear immediately, and the provider no longer counts toward the subscription. Its data is removed in the background. Uploading findings of the same account again creates a new provider. Requires the permission `manage_providers`.
         */
        delete: operations["deleteProvider"];
        options?: never;
        head?: never;
        /**
         * Update a provider
         * @description Sets or removes a provider's alias. Requires the permission `manage_providers`.
         */
        patch: operations["updateProvider"];
        trace?: never;
    };
    "/api/v1/providers/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve the findings of a product
         * @description Resolves all open findings of the provider that one product reported, for example after you have replaced the product. They are resolved in the background, as by an upload that is complete for the account and contains no findings of the product. `resolved_at` is the time of this request, and `resolved_by` is null. Records with an earlier time that are uploaded later are resolved, too. A finding with a newer record is reopened. Requires the permission `manage_providers`.
         */
        post: operations["resolveProviderFindings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List resources
         * @description Returns all resources that records have named, including resources that no longer have findings. A finding that refers to several resources is counted for each of them. Names are sorted by code point, and resources without a name by their uid. Requires the permission `read_findings`.
         */
        get: operations["listResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a resource
         * @description Requires the permission `read_findings`.
         */
        get: operations["getResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Returns every check that has ever produced a finding, even if no provider currently has findings for it. Finding counts are computed for each request; for faster responses, exclude them with `fields[checks]`. Requires the permission `read_findings`.
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
         * @description Percent-encode the ID in the path, as in `links.self`. Requires the permission `read_findings`.
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
         * @description Requires the permission `manage_account`. `include=user` requires the permission `manage_users`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Only this response contains the full key; it cannot be retrieved again. A new key never has more permissions than the key that creates it. Requires the permission `manage_account`.
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
         * Get an API key
         * @description The response does not contain the secret. Requires the permission `manage_account`. `include=user` requires the permission `manage_users`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Takes effect with the next request, even if the key revokes itself. Revoking a key again has no effect. Requires the permission `manage_account`.
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
         * @description Requires the permission `manage_users`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description The API key must have every permission of the assigned roles. Requires the permission `manage_users`.
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
         * @description Requires the permission `manage_users`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Also revokes the user's API keys. The user's audit events are kept. The API key must have every permission of the user (`403`), and at least one other user must have each of these permissions (`409`). Requires the permission `manage_users`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Changes a user's email or roles. The API key must have every permission of the roles that the request assigns or removes (`403`), and at least one user must still have each permission afterwards (`409`). Requires the permission `manage_users`.
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
         * @description Requires the permission `manage_users`.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         * @description The API key must have every permission of the new role. Requires the permission `manage_users`.
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
         * @description Requires the permission `manage_users`.
         */
        get: operations["getRole"];
        put?: never;
        post?: never;
        /**
         * Delete a role
         * @description A role that is still assigned to users cannot be deleted (`409`). Requires the permission `manage_users`.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Update a role
         * @description Changes a role's name or permissions. The change applies to all users with the role, starting with their next request. The API key must have every permission that the request adds or removes (`403`), and at least one user must still have each permission afterwards (`409`). Requires the permission `manage_users`.
         */
        patch: operations["updateRole"];
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Requires the permission `manage_account`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Only this response contains the secret; it cannot be retrieved again. Returns `422` for a host that is not a public address, and if the tenant has the maximum number of webhooks. Requires the permission `manage_account`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description The response does not contain the secret. Requires the permission `manage_account`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Also deletes its deliveries. Pending deliveries are not sent. Requires the permission `manage_account`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes the URL, the description, the events or the providers of a webhook, and disables or enables it. Deliveries that are pending are sent to the new URL. Returns `422` for a host that is not a public address. Requires the permission `manage_account`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook's secret
         * @description Only this response contains the new secret. For 24 hours, deliveries have a second signature by the previous secret. If you rotate the secret again in the meantime, only the latest two secrets sign. Requires the permission `manage_account`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries
         * @description Requires the permission `manage_account`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Requires the permission `manage_account`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries/{id}/repeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a delivery
         * @description Sends a delivery again, with the same `webhook-id` and body, and begins its schedule of attempts again. The next attempt of a pending delivery is made at once. Returns `409` (`webhook_disabled`) if the webhook is disabled. Requires the permission `manage_account`.
         */
        post: operations["repeatWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends an event of the type `webhook.test` to the webhook. Returns `409` (`webhook_disabled`) if the webhook is disabled. Requires the permission `manage_account`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the subscription
         * @description Returns the state of the subscription and the number of billed providers.
         */
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
         * List audit events
         * @description Requires the permission `manage_account`. `include=user` requires the permission `manage_users`.
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
         * Get an audit event
         * @description Requires the permission `manage_account`. `include=user` requires the permission `manage_users`.
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
        /**
         * Get the limits
         * @description Returns the size, rate and time limits that apply to requests.
         */
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
export interface webhooks {
    "ingestion.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * ingestion.completed
         * @description An ingestion has ended, and all of its records are valid. Signed by the [Standard Webhooks](https://www.standardwebhooks.com) specification.
         */
        post: operations["receiveIngestionCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ingestion.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * ingestion.failed
         * @description An ingestion has ended, and its file or some of its records are invalid. Valid records are still ingested. Signed by the [Standard Webhooks](https://www.standardwebhooks.com) specification.
         */
        post: operations["receiveIngestionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scan.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * scan.changed
         * @description An ingestion has ended, and a scan in it has new, reopened, regressed, fixed or resolved findings. One event per scan. Signed by the [Standard Webhooks](https://www.standardwebhooks.com) specification.
         */
        post: operations["receiveScanChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "provider.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * provider.created
         * @description The first findings of an account were uploaded. Signed by the [Standard Webhooks](https://www.standardwebhooks.com) specification.
         */
        post: operations["receiveProviderCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.test
         * @description A user requested a test. Sent to one webhook, whatever its events and providers. Signed by the [Standard Webhooks](https://www.standardwebhooks.com) specification.
         */
        post: operations["receiveWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The defaults of the new job. */
        IngestionRetry: {
            data: {
                /** @constant */
                type: "ingestions";
                attributes?: {
                    /** @description Default for records that do not specify a provider. */
                    provider?: string;
                    /** @description Default for records that do not specify an account. */
                    account?: string;
                };
            };
        };
        /** @description Changes to a provider. */
        ProviderChange: {
            data: {
                /** @constant */
                type: "providers";
                id: string;
                attributes: {
                    /** @description Name of your choice, not necessarily unique. `null` if no alias is set. */
                    alias?: string | null;
                };
            };
        };
        /** @description The product whose findings are resolved. */
        FindingResolution: {
            data: {
                /** @constant */
                type: "providers";
                id: string;
                attributes: {
                    /** @description Name of the product, as in the attribute `products`. */
                    product: string;
                };
            };
        };
        /** @description The API key to create. */
        NewApiKey: {
            data: {
                /** @constant */
                type: "api-keys";
                attributes: {
                    /** @description Name that describes the purpose of the key. */
                    name: string;
                    /** @description Permissions that the key is restricted to. By default, a key that an unrestricted key creates for its own user has all permissions of that user. Any other new key has the permissions that the creating key shares with the new key's user. */
                    permissions?: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
                    /** @description Expiration time with a UTC offset, in the future. By default, the key never expires. */
                    expires_at?: string | null;
                };
                relationships?: {
                    /** @description User that the key belongs to. Defaults to the creating key's user; any other user requires `manage_users`. */
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
        /** @description The user to create. */
        NewUser: {
            data: {
                /** @constant */
                type: "users";
                attributes: {
                    /** @description Email address. Must be unique in the tenant, regardless of case. */
                    email: string;
                };
                relationships?: {
                    /** @description Complete list of the user's roles. It replaces the current list. */
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
        /** @description Changes to a user. Absent members remain unchanged. */
        UserChanges: {
            data: {
                /** @constant */
                type: "users";
                /** Format: uuid */
                id: string;
                attributes?: {
                    /** @description Email address. Must be unique in the tenant, regardless of case. */
                    email?: string;
                };
                relationships?: {
                    /** @description Complete list of the user's roles. It replaces the current list. */
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
        /** @description The role to create. */
        NewRole: {
            data: {
                /** @constant */
                type: "roles";
                attributes: {
                    /** @description Name of the role. Unique in the tenant. */
                    name: string;
                    /** @description Permissions of the role. The API key must have all of them. */
                    permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
                };
            };
        };
        /** @description Changes to a role. Absent members remain unchanged. */
        RoleChanges: {
            data: {
                /** @constant */
                type: "roles";
                /** Format: uuid */
                id: string;
                attributes?: {
                    /** @description Name of the role. Unique in the tenant. */
                    name?: string;
                    /** @description Permissions of the role. The API key must have all of them. */
                    permissions?: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
                };
            };
        };
        /** @description The webhook to create. */
        NewWebhook: {
            data: {
                /** @constant */
                type: "webhooks";
                attributes: {
                    /**
                     * Format: uri
                     * @description URL that events are sent to. Starts with `https:`.
                     */
                    url: string;
                    /** @description Types of events that are sent. */
                    events: ("ingestion.completed" | "ingestion.failed" | "scan.changed" | "provider.created")[];
                    /** @description Text of your choice. `null` removes the description. */
                    description?: string | null;
                    /**
                     * @description `standard` for the format of Standard Webhooks, `slack` for that of incoming webhooks of Slack. Defaults to `standard`, and cannot be changed later.
                     * @enum {string}
                     */
                    format?: "standard" | "slack";
                    /** @description IDs of providers. Events of ingestions and scans are sent if they have findings of one of them. `null` for all. Other events are sent in any case. */
                    provider_ids?: string[] | null;
                    /** @description Severities. `scan.changed` is sent if the scan changed findings with one of them. `null` for all. Other events are sent in any case. */
                    severities?: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[] | null;
                };
            };
        };
        /** @description Changes to a webhook. Absent members remain unchanged. */
        WebhookChanges: {
            data: {
                /** @constant */
                type: "webhooks";
                /** Format: uuid */
                id: string;
                attributes?: {
                    /**
                     * Format: uri
                     * @description URL that events are sent to. Starts with `https:`.
                     */
                    url?: string;
                    /** @description Text of your choice. `null` removes the description. */
                    description?: string | null;
                    /** @description Types of events that are sent. */
                    events?: ("ingestion.completed" | "ingestion.failed" | "scan.changed" | "provider.created")[];
                    /** @description IDs of providers. Events of ingestions and scans are sent if they have findings of one of them. `null` for all. Other events are sent in any case. */
                    provider_ids?: string[] | null;
                    /** @description Severities. `scan.changed` is sent if the scan changed findings with one of them. `null` for all. Other events are sent in any case. */
                    severities?: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[] | null;
                    /** @description Whether events are sent. `false` also ends all pending deliveries. `true` enables a webhook that was disabled for any reason. */
                    enabled?: boolean;
                };
            };
        };
        /** @description An ingestion has ended, and all of its records are valid. */
        IngestionCompletedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "ingestion.completed";
            /**
             * Format: date-time
             * @description Time at which the event occurred.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description ID of the ingestion.
                 */
                id: string;
                /**
                 * @description Status of the ingestion.
                 * @enum {string}
                 */
                status: "completed" | "failed";
                /** @description Name of the uploaded file. `null` if the upload has none. */
                file_name: string | null;
                /** @description Labels of the upload, by key. */
                labels: {
                    [key: string]: string;
                };
                /** @description Counts of records. */
                summary: {
                    /** @description Number of records in the file. */
                    total: number;
                    /** @description Number of processed records, valid or not. */
                    processed: number;
                    /** @description Number of rejected records. */
                    invalid: number;
                };
                /** @description Number of errors in the file and its records, by error code. */
                errors: {
                    [key: string]: number;
                };
                /** @description Number of warnings about ingested records. */
                warnings: number;
                /**
                 * Format: date-time
                 * @description Time at which the upload was accepted.
                 */
                requested_at: string;
                /**
                 * Format: date-time
                 * @description Time at which the ingestion ended.
                 */
                completed_at: string;
                /** @description Providers with findings in the upload, at most 100, sorted by ID. */
                providers: {
                    /**
                     * Format: uuid
                     * @description ID of the provider.
                     */
                    id: string;
                    /** @description Provider type in lower case, for example `aws`. */
                    type: string;
                    /** @description Account ID assigned by the provider. */
                    account: string;
                    /** @description Account name. `null` if the records have none. */
                    name: string | null;
                }[];
                /** @description Number of providers with findings in the upload. */
                provider_count: number;
                /** @description Absent if `SLUICE_PUBLIC_URL` is not set and the process that recorded the event has no API. */
                links?: {
                    /**
                     * Format: uri
                     * @description URL of the resource in this API.
                     */
                    self: string;
                    /**
                     * Format: uri
                     * @description URL of the page in the console.
                     */
                    console: string;
                };
            };
        };
        /** @description An ingestion has ended, and its file or some of its records are invalid. Valid records are still ingested. */
        IngestionFailedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "ingestion.failed";
            /**
             * Format: date-time
             * @description Time at which the event occurred.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description ID of the ingestion.
                 */
                id: string;
                /**
                 * @description Status of the ingestion.
                 * @enum {string}
                 */
                status: "completed" | "failed";
                /** @description Name of the uploaded file. `null` if the upload has none. */
                file_name: string | null;
                /** @description Labels of the upload, by key. */
                labels: {
                    [key: string]: string;
                };
                /** @description Counts of records. */
                summary: {
                    /** @description Number of records in the file. */
                    total: number;
                    /** @description Number of processed records, valid or not. */
                    processed: number;
                    /** @description Number of rejected records. */
                    invalid: number;
                };
                /** @description Number of errors in the file and its records, by error code. */
                errors: {
                    [key: string]: number;
                };
                /** @description Number of warnings about ingested records. */
                warnings: number;
                /**
                 * Format: date-time
                 * @description Time at which the upload was accepted.
                 */
                requested_at: string;
                /**
                 * Format: date-time
                 * @description Time at which the ingestion ended.
                 */
                completed_at: string;
                /** @description Providers with findings in the upload, at most 100, sorted by ID. */
                providers: {
                    /**
                     * Format: uuid
                     * @description ID of the provider.
                     */
                    id: string;
                    /** @description Provider type in lower case, for example `aws`. */
                    type: string;
                    /** @description Account ID assigned by the provider. */
                    account: string;
                    /** @description Account name. `null` if the records have none. */
                    name: string | null;
                }[];
                /** @description Number of providers with findings in the upload. */
                provider_count: number;
                /** @description Absent if `SLUICE_PUBLIC_URL` is not set and the process that recorded the event has no API. */
                links?: {
                    /**
                     * Format: uri
                     * @description URL of the resource in this API.
                     */
                    self: string;
                    /**
                     * Format: uri
                     * @description URL of the page in the console.
                     */
                    console: string;
                };
            };
        };
        /** @description An ingestion has ended, and a scan in it has new, reopened, regressed, fixed or resolved findings. One event per scan. */
        ScanChangedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "scan.changed";
            /**
             * Format: date-time
             * @description Time at which the event occurred.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description ID of the scan.
                 */
                id: string;
                /** @description Scan ID in the records. `null` if the records have none. */
                uid: string | null;
                /**
                 * Format: uuid
                 * @description ID of the ingestion.
                 */
                ingestion_id: string;
                /** @description The provider of the scan. */
                provider: {
                    /**
                     * Format: uuid
                     * @description ID of the provider.
                     */
                    id: string;
                    /** @description Provider type in lower case, for example `aws`. */
                    type: string;
                    /** @description Account ID assigned by the provider. */
                    account: string;
                    /** @description Account name. `null` if the records have none. */
                    name: string | null;
                };
                /**
                 * Format: date-time
                 * @description Time of the latest record.
                 */
                ended_at: string;
                /** @description Findings that had not been seen before. */
                new: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings that were resolved before. */
                reopened: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings whose status changed to FAIL. */
                regressed: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings whose status changed from FAIL to PASS. */
                fixed: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings that the upload is complete for, but does not contain. */
                resolved: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description The most severe findings that are new, reopened or regressed, have the status FAIL and are not muted, at most 10. */
                worst: {
                    /**
                     * Format: uuid
                     * @description ID of the finding.
                     */
                    id: string;
                    /**
                     * @description How the scan changed the finding.
                     * @enum {string}
                     */
                    change: "new" | "reopened" | "regressed";
                    /** @description Severity of the finding. */
                    severity: string;
                    /** @description Check ID assigned by the scanner. */
                    check_id: string;
                    /** @description Title of the check. */
                    check_title: string | null;
                    /** @description The resource that was checked. */
                    resource: {
                        /** @description Resource ID assigned by the provider. */
                        uid: string | null;
                        /** @description Name of the resource. */
                        name: string | null;
                    };
                    /** @description Absent if `SLUICE_PUBLIC_URL` is not set and the process that recorded the event has no API. */
                    links?: {
                        /**
                         * Format: uri
                         * @description URL of the resource in this API.
                         */
                        self: string;
                        /**
                         * Format: uri
                         * @description URL of the page in the console.
                         */
                        console: string;
                    };
                }[];
                /** @description Absent if `SLUICE_PUBLIC_URL` is not set and the process that recorded the event has no API. */
                links?: {
                    /**
                     * Format: uri
                     * @description URL of the resource in this API.
                     */
                    self: string;
                    /**
                     * Format: uri
                     * @description URL of the page in the console.
                     */
                    console: string;
                };
            };
        };
        /** @description The first findings of an account were uploaded. */
        ProviderCreatedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "provider.created";
            /**
             * Format: date-time
             * @description Time at which the event occurred.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description ID of the provider.
                 */
                id: string;
                /** @description Provider type in lower case, for example `aws`. */
                type: string;
                /** @description Account ID assigned by the provider. */
                account: string;
                /** @description Account name. `null` if the records have none. */
                name: string | null;
                /**
                 * Format: date-time
                 * @description Time at which the provider was created.
                 */
                inserted_at: string;
                /** @description Absent if `SLUICE_PUBLIC_URL` is not set and the process that recorded the event has no API. */
                links?: {
                    /**
                     * Format: uri
                     * @description URL of the resource in this API.
                     */
                    self: string;
                    /**
                     * Format: uri
                     * @description URL of the page in the console.
                     */
                    console: string;
                };
            };
        };
        /** @description A user requested a test. Sent to one webhook, whatever its events and providers. */
        WebhookTestEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description Time at which the event occurred.
             */
            timestamp: string;
            data: {
                /**
                 * Format: uuid
                 * @description ID of the webhook.
                 */
                webhook_id: string;
            };
        };
        /** @description The ingestion job of an uploaded file. */
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
                /** @description Number of warnings about ingested records. */
                warnings: number;
                /** @description Name of the uploaded file. `null` if the upload has none. */
                file_name: string | null;
                /** @description Size of the file as received, in bytes. */
                received_bytes: number;
                /** @description Size of the file after decompression, in bytes. */
                bytes: number;
                /**
                 * @description What the upload is complete for: nothing (`partial`), each account, product and check in it (`checks`), or each account and product in it (`account`).
                 * @enum {string}
                 */
                coverage: "partial" | "checks" | "account";
                /** @description Whether the job only reports what the upload would do (`GET /ingestions/{id}/dry-run`), and changes nothing else. */
                dry_run: boolean;
                /** @description Labels of the upload, by key. Empty if it has none. */
                labels: {
                    [key: string]: string;
                };
                /** @description How the upload changed findings: the number of findings by severity, complete when the job has ended. Each finding in the file has one of the changes from `new` to `unchanged`, compared with its state just before. `null` if an earlier release accepted the upload. */
                findings: {
                    /** @description Findings that had not been seen before. */
                    new: {
                        unknown: number;
                        informational: number;
                        low: number;
                        medium: number;
                        high: number;
                        critical: number;
                        fatal: number;
                        other: number;
                    };
                    /** @description Findings that were resolved before. */
                    reopened: {
                        unknown: number;
                        informational: number;
                        low: number;
                        medium: number;
                        high: number;
                        critical: number;
                        fatal: number;
                        other: number;
                    };
                    /** @description Findings whose status changed to FAIL. */
                    regressed: {
                        unknown: number;
                        informational: number;
                        low: number;
                        medium: number;
                        high: number;
                        critical: number;
                        fatal: number;
                        other: number;
                    };
                    /** @description Findings whose status changed from FAIL to PASS. */
                    fixed: {
                        unknown: number;
                        informational: number;
                        low: number;
                        medium: number;
                        high: number;
                        critical: number;
                        fatal: number;
                        other: number;
                    };
                    /** @description All other findings in the file. */
                    unchanged: {
                        unknown: number;
                        informational: number;
                        low: number;
                        medium: number;
                        high: number;
                        critical: number;
                        fatal: number;
                        other: number;
                    };
                    /** @description Findings that the upload is complete for, but does not contain. */
                    resolved: {
                        unknown: number;
                        informational: number;
                        low: number;
                        medium: number;
                        high: number;
                        critical: number;
                        fatal: number;
                        other: number;
                    };
                    /** @description Findings in the file with the status FAIL that are not muted. */
                    failed: {
                        unknown: number;
                        informational: number;
                        low: number;
                        medium: number;
                        high: number;
                        critical: number;
                        fatal: number;
                        other: number;
                    };
                    /** @description The failed findings that are new, reopened or regressed. */
                    newly_failed: {
                        unknown: number;
                        informational: number;
                        low: number;
                        medium: number;
                        high: number;
                        critical: number;
                        fatal: number;
                        other: number;
                    };
                } | null;
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[ingestions]`. */
        IngestionAttributes: {
            /**
             * @description `pending` until processing starts, then `processing`. `completed` if all records were ingested. `failed` if at least one record was rejected or the file is invalid; valid records are still ingested.
             * @enum {string}
             */
            status: "pending" | "processing" | "completed" | "failed";
            /** @description Progress of the job. */
            summary: {
                /** @description Number of records in the file. */
                total: number;
                /** @description Number of records processed so far, valid or not. */
                processed: number;
                /** @description Number of rejected records. */
                invalid: number;
            };
            /**
             * Format: date-time
             * @description Time at which the upload was accepted.
             */
            requested_at: string;
            /** @description Time at which processing started. `null` if the job is pending. */
            started_at: string | null;
            /** @description Time at which the job ended. `null` if it has not ended. */
            completed_at: string | null;
        };
        /** @description The document in every error response. */
        ErrorDocument: {
            errors: components["schemas"]["Error"][];
            meta: {
                /**
                 * @description Version of the API.
                 * @constant
                 */
                version: "v1";
            };
        };
        /** @description An error in the request or in the service. */
        Error: {
            /** @description ID of the request, as in the header `X-Request-Id`. */
            id: string;
            /** @description HTTP status code. */
            status: string;
            /** @description Stable error code for programs. */
            code: string;
            /** @description Short summary of the error, the same for every error with this code. */
            title: string;
            /** @description Explanation of this error and how to resolve it. */
            detail: string;
            /** @description The part of the request that caused the error. */
            source?: {
                /** @description JSON Pointer (RFC 6901) to the location in the request document. */
                pointer?: string;
                /** @description Name of the query parameter. */
                parameter?: string;
                /** @description Name of the request header. */
                header?: string;
            };
            /** @description Additional details, such as the limit that was exceeded. */
            meta?: {
                [key: string]: unknown;
            };
        };
        /** @description Links to other pages. `null` if there is no such page. */
        PageLinks: {
            /** Format: uri */
            self: string;
            /** Format: uri */
            first: string;
            prev: string | null;
            next: string | null;
            last: string | null;
        };
        /** @description Absent if the request uses `page[after]` or `page[position]`. */
        Pagination: {
            /** @description Number of the current page. */
            page: number;
            /** @description Total number of pages. */
            pages: number;
            /** @description Total number of resources. */
            count: number;
        };
        /** @description An error in a record or in the file. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[ingestion-errors]`. */
        IngestionErrorAttributes: {
            /** @description Stable code for programs. */
            code: string;
            /** @description Explanation of the problem. */
            detail: string;
            /** @description Index of the record in the file, starting at 0. `null` if the problem concerns the file or several records. */
            record_index: number | null;
            /** @description Offset in the decompressed file, in bytes. */
            byte_offset: number;
            /** @description JSON Pointer (RFC 6901) to the field in the record. `null` if there is no such field. */
            pointer: string | null;
            /** @description `finding_info.uid` of the record. `null` if unknown. */
            finding_uid: string | null;
        };
        /** @description A warning about an ingested record. A warning with the code `missing_required_attribute` is about all records of the job that lack the attribute; its other attributes describe the first of them. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[ingestion-warnings]`. */
        IngestionWarningAttributes: {
            /** @description Stable code for programs. */
            code: string;
            /** @description Explanation of the problem. */
            detail: string;
            /** @description Index of the record in the file, starting at 0. `null` if the problem concerns the file or several records. */
            record_index: number | null;
            /** @description Offset in the decompressed file, in bytes. */
            byte_offset: number;
            /** @description JSON Pointer (RFC 6901) to the field in the record. `null` if there is no such field. If the code is `missing_required_attribute`, `*` stands for the index of an array. */
            pointer: string | null;
            /** @description `finding_info.uid` of the record. `null` if unknown. */
            finding_uid: string | null;
            /** @description Number of records that the warning is about. `null` if it concerns the file. */
            record_count: number | null;
        };
        /** @description What an upload would do. Its ID is that of the ingestion. */
        DryRun: {
            /** @constant */
            type: "dry-runs";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["DryRunAttributes"];
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[dry-runs]`. */
        DryRunAttributes: {
            /** @description How the upload would change findings, compared with their state during the dry run: the number of findings by severity. */
            findings: {
                /** @description Findings that had not been seen before. */
                new: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings that were resolved before. */
                reopened: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings whose status changed to FAIL. */
                regressed: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings whose status changed from FAIL to PASS. */
                fixed: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description All other findings in the file. */
                unchanged: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings that the upload is complete for, but does not contain. */
                resolved: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description Findings in the file with the status FAIL that are not muted. */
                failed: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
                /** @description The failed findings that are new, reopened or regressed. */
                newly_failed: {
                    unknown: number;
                    informational: number;
                    low: number;
                    medium: number;
                    high: number;
                    critical: number;
                    fatal: number;
                    other: number;
                };
            };
            /** @description The accounts that the upload would add to the billable providers. */
            new_providers: {
                /** @description Number of providers that the upload would create. */
                total: number;
                /** @description The first 1,000 of them by type and account. */
                listed: {
                    type: string;
                    account: string;
                    /** @description Name of the account. `null` if no record names it. */
                    name: string | null;
                }[];
            };
            /** @description Number of problems by code, including problems that were not stored. */
            errors: {
                [key: string]: number;
            };
            /** @description Number of problems by code, including problems that were not stored. */
            warnings: {
                [key: string]: number;
            };
        };
        /** @description A record from an uploaded file, valid or invalid. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[ingestion-records]`. */
        IngestionRecordAttributes: {
            /** @description Index of the record in the file, starting at 0. */
            record_index: number;
            /** @description Offset of the record in the decompressed file, in bytes. */
            byte_offset: number;
            /** @description Size of the record in bytes, even if `raw` is truncated. */
            bytes: number;
            /** @description The record as it was uploaded, or its first 65,536 bytes. Invalid UTF-8 is replaced with U+FFFD. */
            raw: string;
            /** @description Whether `raw` contains only the beginning of the record. */
            truncated: boolean;
        };
        /** @description The current result of a check for a resource. */
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
                resolved_by: {
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
                resource: {
                    data: {
                        /** @constant */
                        type: "resources";
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[findings]`. */
        FindingAttributes: {
            /** @description Finding ID assigned by the scanner. Not necessarily unique. */
            uid: string;
            /** @description Check ID assigned by the scanner. */
            check_id: string;
            /** @description Title of the check. */
            check_title: string | null;
            /**
             * @description Severity of the finding: `unknown` if the record has none, `other` if it is not an OCSF severity.
             * @enum {string}
             */
            severity: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
            /**
             * @description `open`, or `resolved` if an upload that is complete for the finding (`coverage`) does not contain it and is newer than its latest record, or if a user has resolved the findings of its product since.
             * @enum {string}
             */
            state: "open" | "resolved";
            /**
             * @description `PASS`, `FAIL`, or `MANUAL` if the check requires a manual review.
             * @enum {string}
             */
            status: "PASS" | "FAIL" | "MANUAL";
            /** @description The scanner's explanation of the status. */
            status_detail: string | null;
            /** @description Whether the finding is muted. */
            muted: boolean;
            /**
             * @description Change since the previous upload: the finding is `new`, its status has `changed`, or it is `unchanged`.
             * @enum {string}
             */
            delta: "new" | "changed" | "unchanged";
            /** @description The resource that was checked. */
            resource: {
                /** @description Resource ID assigned by the provider. */
                uid: string | null;
                /** @description Name of the resource. */
                name: string | null;
                /** @description Type of the resource. */
                type: string | null;
            };
            /** @description Region of the resource. */
            region: string | null;
            /** @description Service that the resource belongs to. */
            service: string | null;
            /** @description Product that reported the finding. */
            product: string | null;
            /** @description Provider type in lower case, for example `aws`. */
            provider_type: string;
            /** @description Account ID assigned by the provider. */
            account: string;
            /** @description Categories of the check. */
            categories: string[];
            /**
             * Format: date-time
             * @description Time of the first record of this finding.
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description Time of the latest record of this finding.
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description Time of the first known record with the current status.
             */
            status_changed_at: string;
            /** @description Time of the first upload that resolved the finding: its earliest record of the same account and product, and of the same check if the upload is complete for checks only. If a user resolved it, the time of the request. `null` for open findings. */
            resolved_at: string | null;
            /** @description Status in the previous upload that contained this finding. `null` if there is no such upload. */
            previous: {
                /**
                 * @description `PASS`, `FAIL`, or `MANUAL` if the check requires a manual review.
                 * @enum {string}
                 */
                status: "PASS" | "FAIL" | "MANUAL";
                /**
                 * Format: date-time
                 * @description Time of the latest record of this finding in the previous upload.
                 */
                seen_at: string;
            } | null;
        };
        /** @description A cloud account with findings. Each provider counts toward the subscription. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[providers]`. */
        ProviderAttributes: {
            /** @description Provider type in lower case, for example `aws`. */
            type: string;
            /** @description Account ID assigned by the provider. */
            account: string;
            /** @description Account name from the first records of the account. `null` if these records have no account name. */
            name: string | null;
            /** @description Name of your choice, not necessarily unique. `null` if no alias is set. */
            alias: string | null;
            /**
             * Format: date-time
             * @description Time at which the provider was created.
             */
            inserted_at: string;
            /** @description Time of the latest record. `null` if the provider has no findings. */
            last_seen_at: string | null;
            /** @description Finding counts for this provider. */
            findings: {
                /** @description Number of open findings. */
                total: number;
                /** @description Number of open findings with the status FAIL that are not muted. */
                failing: number;
            };
        };
        /** @description A security check. Its text attributes are taken from its latest record. */
        Check: {
            /** @constant */
            type: "checks";
            /** @description Provider type and check ID, separated by a dot. In the provider type, `%` is encoded as `%25` and `.` as `%2E`. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[checks]`. */
        CheckAttributes: {
            /** @description Provider type in lower case, for example `aws`. */
            provider_type: string;
            /** @description Check ID assigned by the scanner. */
            check_id: string;
            /** @description Title of the check. */
            title: string | null;
            /** @description Description of the check. */
            description: string | null;
            /** @description Risk if the check fails. */
            risk: string | null;
            /** @description How to resolve a failed check. */
            remediation: string | null;
            /** @description URLs with further information. */
            references: string[];
            /** @description Categories of the check. */
            categories: string[];
            /** @description Requirements of compliance frameworks, each after its framework, for example `CIS-1.5 1.20`. */
            compliance: string[];
            /** @description Highest severity of its findings; `other` only if all of its findings have the severity `other`. `null` if no provider has findings for this check. */
            severity: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other") | null;
            /** @description Finding counts for this check. */
            findings: {
                /** @description Number of findings. */
                total: number;
                /** @description Number of findings with the status FAIL that are not muted. */
                failing: number;
            };
        };
        /** @description The records in one upload that have the same provider and scan ID. */
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
            links: {
                /** Format: uri */
                self: string;
                /** Format: uri */
                new: string;
                /** Format: uri */
                reopened: string;
                /** Format: uri */
                regressed: string;
                /** Format: uri */
                fixed: string;
                /** Format: uri */
                unchanged: string;
                /** Format: uri */
                resolved: string;
            };
            meta: {
                /** @description Labels of the upload, by key. Empty if it has none. */
                labels: {
                    [key: string]: string;
                };
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[scans]`. */
        ScanAttributes: {
            /** @description Scan ID in the records. `null` if the records have none. */
            uid: string | null;
            /**
             * Format: date-time
             * @description Time of the earliest record.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description Time of the latest record.
             */
            ended_at: string;
            /**
             * Format: date-time
             * @description Time at which the upload was accepted.
             */
            inserted_at: string;
            /** @description Number of valid records. The other record counts are subsets of this count. */
            records: number;
            /** @description Number of records with the status FAIL that are not muted. */
            failed: number;
            /** @description Number of muted records, regardless of their status. */
            muted: number;
            /** @description Number of records by status, including muted records. */
            by_status: {
                PASS: number;
                FAIL: number;
                MANUAL: number;
            };
            /** @description Number of records by severity, including muted records. */
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
            /** @description Number of records with the status FAIL that are not muted, by severity. */
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
            /** @description Findings that had not been seen before. */
            new: number | null;
            /** @description Findings that were resolved before. */
            reopened: number | null;
            /** @description Findings whose status changed to FAIL. */
            regressed: number | null;
            /** @description Findings whose status changed from FAIL to PASS. */
            fixed: number | null;
            /** @description All other findings in the file. */
            unchanged: number | null;
            /** @description Findings that the upload is complete for, but does not contain. */
            resolved: number | null;
        };
        /** @description A resource of an account, with the attributes from its latest record. */
        Resource: {
            /** @constant */
            type: "resources";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["ResourceAttributes"];
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[resources]`. */
        ResourceAttributes: {
            /** @description Resource ID assigned by the provider. */
            uid: string;
            /** @description Name of the resource. */
            name: string | null;
            /** @description Type of the resource. */
            type: string | null;
            /** @description Region of the resource. */
            region: string | null;
            /** @description Service that the resource belongs to. */
            service: string | null;
            /** @description Labels of the resource. */
            labels: string[];
            /** @description Provider type in lower case, for example `aws`. */
            provider_type: string;
            /** @description Account ID assigned by the provider. */
            account: string;
            /** @description Alias of the provider. `null` if no alias is set. */
            account_alias: string | null;
            /**
             * Format: date-time
             * @description Time of the latest record.
             */
            last_seen_at: string;
            /** @description Finding counts for this resource. */
            findings: {
                /** @description Number of findings. */
                total: number;
                /** @description Number of findings with the status FAIL that are not muted. */
                failing: number;
                /** @description Number of failing findings by severity. */
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
            };
        };
        /** @description Counts of findings that match the filters in the request, including muted findings. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[finding-summaries]`. */
        FindingSummaryAttributes: {
            /** @description Number of findings, including muted findings. */
            count: number;
            /** @description Number of findings with the status FAIL that are not muted. */
            failed: number;
            /** @description Number of muted findings. */
            muted: number;
            /** @description Number of findings by status. */
            by_status: {
                /** @description Number of findings, including muted findings. */
                PASS: number;
                /** @description Number of findings, including muted findings. */
                FAIL: number;
                /** @description Number of findings, including muted findings. */
                MANUAL: number;
            };
            /** @description Number of findings by severity. */
            by_severity: {
                unknown: {
                    /** @description Number of findings, including muted findings. */
                    count: number;
                    /** @description Number of findings with the status FAIL that are not muted. */
                    failed: number;
                };
                informational: {
                    /** @description Number of findings, including muted findings. */
                    count: number;
                    /** @description Number of findings with the status FAIL that are not muted. */
                    failed: number;
                };
                low: {
                    /** @description Number of findings, including muted findings. */
                    count: number;
                    /** @description Number of findings with the status FAIL that are not muted. */
                    failed: number;
                };
                medium: {
                    /** @description Number of findings, including muted findings. */
                    count: number;
                    /** @description Number of findings with the status FAIL that are not muted. */
                    failed: number;
                };
                high: {
                    /** @description Number of findings, including muted findings. */
                    count: number;
                    /** @description Number of findings with the status FAIL that are not muted. */
                    failed: number;
                };
                critical: {
                    /** @description Number of findings, including muted findings. */
                    count: number;
                    /** @description Number of findings with the status FAIL that are not muted. */
                    failed: number;
                };
                fatal: {
                    /** @description Number of findings, including muted findings. */
                    count: number;
                    /** @description Number of findings with the status FAIL that are not muted. */
                    failed: number;
                };
                other: {
                    /** @description Number of findings, including muted findings. */
                    count: number;
                    /** @description Number of findings with the status FAIL that are not muted. */
                    failed: number;
                };
            };
            /** @description Number of findings by delta. */
            by_delta: {
                /** @description Number of findings, including muted findings. */
                new: number;
                /** @description Number of findings, including muted findings. */
                changed: number;
                /** @description Number of findings, including muted findings. */
                unchanged: number;
            };
            /** @description Number of findings by provider, sorted by number of failing findings in descending order. Maximum number of entries: 1,000. */
            by_provider: {
                /**
                 * Format: uuid
                 * @description ID of the provider.
                 */
                id: string;
                /** @description Provider type in lower case. */
                provider_type: string;
                /** @description Account ID assigned by the provider. */
                account: string;
                /** @description Number of findings, including muted findings. */
                count: number;
                /** @description Number of findings with the status FAIL that are not muted. */
                failed: number;
            }[];
            /** @description Number of providers with matching findings. */
            providers: number;
            /** @description Number of findings by service, sorted by number of failing findings in descending order. Maximum number of entries: 1,000. */
            by_service: {
                /** @description Name of the service. `null` for findings without a service. */
                service: string | null;
                /** @description Number of findings, including muted findings. */
                count: number;
                /** @description Number of findings with the status FAIL that are not muted. */
                failed: number;
            }[];
            /** @description Number of services with matching findings. */
            services: number;
            /** @description Number of findings by region, sorted by number of failing findings in descending order. Maximum number of entries: 1,000. */
            by_region: {
                /** @description Name of the region. `null` for findings without a region. */
                region: string | null;
                /** @description Number of findings, including muted findings. */
                count: number;
                /** @description Number of findings with the status FAIL that are not muted. */
                failed: number;
            }[];
            /** @description Number of regions with matching findings. */
            regions: number;
            /** @description Number of findings by resource type, sorted by number of failing findings in descending order. Maximum number of entries: 1,000. */
            by_resource_type: {
                /** @description Type of the resource. `null` for findings without a type. */
                resource_type: string | null;
                /** @description Number of findings, including muted findings. */
                count: number;
                /** @description Number of findings with the status FAIL that are not muted. */
                failed: number;
            }[];
            /** @description Number of resource types with matching findings. */
            resource_types: number;
            /** @description Number of findings by category of their check, sorted by number of failing findings in descending order. Maximum number of entries: 1,000. A finding counts toward each category of its check. */
            by_category: {
                /** @description Category of the check. */
                category: string;
                /** @description Number of findings, including muted findings. */
                count: number;
                /** @description Number of findings with the status FAIL that are not muted. */
                failed: number;
            }[];
            /** @description Number of categories with matching findings. */
            categories: number;
        };
        /** @description Counts of the findings that match the filters in the request and have the same value of `by`. */
        FindingGroup: {
            /** @constant */
            type: "finding-groups";
            /** @description Identifies the group. */
            id: string;
            attributes: components["schemas"]["FindingGroupAttributes"];
            relationships: {
                findings: {
                    links: {
                        /** @description `null` if there is no such list. */
                        related: string | null;
                    };
                };
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[finding-groups]`. */
        FindingGroupAttributes: {
            /**
             * @description The property by which the findings are grouped.
             * @enum {string}
             */
            by: "check" | "resource" | "account" | "service" | "region";
            /** @description Title of the check, name of the resource, alias or ID of the account, service or region. `null` for findings without a resource, service or region. */
            name: string | null;
            /** @description Present if `by` is `check`. */
            check: {
                /** @description ID of the check in this API. */
                id: string;
                /** @description Check ID assigned by the scanner. */
                check_id: string;
                /** @description Provider type in lower case, for example `aws`. */
                provider_type: string;
                /** @description Title of the check. */
                title: string | null;
                /** @description Highest severity of the findings; `other` only if all of them have it. */
                severity: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other") | null;
            };
            /** @description Present if `by` is `resource`. `null` for findings without a resource. */
            resource: {
                /**
                 * Format: uuid
                 * @description ID of the resource in this API.
                 */
                id: string;
                /** @description Resource ID assigned by the provider. */
                uid: string;
                /** @description Name of the resource. */
                name: string | null;
                /** @description Type of the resource. */
                type: string | null;
            } | null;
            /** @description Present if `by` is `account`. */
            account: {
                /**
                 * Format: uuid
                 * @description ID of the provider.
                 */
                id: string;
                /** @description Provider type in lower case, for example `aws`. */
                provider_type: string;
                /** @description Account ID assigned by the provider. */
                account: string;
                /** @description Alias of the provider. `null` if no alias is set. */
                alias: string | null;
            };
            /** @description Number of findings. */
            total: number;
            /** @description Number of findings with the status FAIL that are not muted. */
            failing: number;
            /** @description Number of muted findings. */
            muted: number;
            /** @description Number of failing findings (status FAIL, not muted) by severity. */
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
            /** @description Number of findings by status, including muted findings. */
            by_status: {
                PASS: number;
                FAIL: number;
                MANUAL: number;
            };
            /** @description Number of accounts with failing findings (status FAIL, not muted). */
            accounts: number;
            /** @description Number of resources with failing findings (status FAIL, not muted). */
            resources: number;
            /** @description Earliest `status_changed_at` of the failing findings. `null` if there are none. */
            oldest_failing_at: string | null;
        };
        /** @description A finding and its OCSF record. */
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
                resolved_by: {
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
                resource: {
                    data: {
                        /** @constant */
                        type: "resources";
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[findings]`. */
        FindingWithRecordAttributes: {
            /** @description Finding ID assigned by the scanner. Not necessarily unique. */
            uid: string;
            /** @description Check ID assigned by the scanner. */
            check_id: string;
            /** @description Title of the check. */
            check_title: string | null;
            /**
             * @description Severity of the finding: `unknown` if the record has none, `other` if it is not an OCSF severity.
             * @enum {string}
             */
            severity: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
            /**
             * @description `open`, or `resolved` if an upload that is complete for the finding (`coverage`) does not contain it and is newer than its latest record, or if a user has resolved the findings of its product since.
             * @enum {string}
             */
            state: "open" | "resolved";
            /**
             * @description `PASS`, `FAIL`, or `MANUAL` if the check requires a manual review.
             * @enum {string}
             */
            status: "PASS" | "FAIL" | "MANUAL";
            /** @description The scanner's explanation of the status. */
            status_detail: string | null;
            /** @description Whether the finding is muted. */
            muted: boolean;
            /**
             * @description Change since the previous upload: the finding is `new`, its status has `changed`, or it is `unchanged`.
             * @enum {string}
             */
            delta: "new" | "changed" | "unchanged";
            /** @description The resource that was checked. */
            resource: {
                /** @description Resource ID assigned by the provider. */
                uid: string | null;
                /** @description Name of the resource. */
                name: string | null;
                /** @description Type of the resource. */
                type: string | null;
            };
            /** @description Region of the resource. */
            region: string | null;
            /** @description Service that the resource belongs to. */
            service: string | null;
            /** @description Product that reported the finding. */
            product: string | null;
            /** @description Provider type in lower case, for example `aws`. */
            provider_type: string;
            /** @description Account ID assigned by the provider. */
            account: string;
            /** @description Categories of the check. */
            categories: string[];
            /**
             * Format: date-time
             * @description Time of the first record of this finding.
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description Time of the latest record of this finding.
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description Time of the first known record with the current status.
             */
            status_changed_at: string;
            /** @description Time of the first upload that resolved the finding: its earliest record of the same account and product, and of the same check if the upload is complete for checks only. If a user resolved it, the time of the request. `null` for open findings. */
            resolved_at: string | null;
            /** @description Status in the previous upload that contained this finding. `null` if there is no such upload. */
            previous: {
                /**
                 * @description `PASS`, `FAIL`, or `MANUAL` if the check requires a manual review.
                 * @enum {string}
                 */
                status: "PASS" | "FAIL" | "MANUAL";
                /**
                 * Format: date-time
                 * @description Time of the latest record of this finding in the previous upload.
                 */
                seen_at: string;
            } | null;
            /** @description The OCSF record exactly as it was submitted, byte for byte. Most JSON parsers do not preserve its duplicate keys, number formats and whitespace. */
            raw: {
                [key: string]: unknown;
            };
        };
        /** @description A change of a finding. */
        FindingEvent: {
            /** @constant */
            type: "finding-events";
            id: string;
            attributes: components["schemas"]["FindingEventAttributes"];
            relationships: {
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
            };
            links?: {
                /** Format: uri */
                self: string;
            };
            meta?: {
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[finding-events]`. */
        FindingEventAttributes: {
            /**
             * @description The first of these that applies: `new` (first record), `reopened`, `regressed` (to FAIL), `fixed` (from FAIL to PASS), `status_changed`, `muted`, `unmuted`; or `resolved`.
             * @enum {string}
             */
            change: "new" | "reopened" | "regressed" | "fixed" | "status_changed" | "muted" | "unmuted" | "resolved";
            /**
             * Format: date-time
             * @description Time of the record, or the time at which the finding is resolved.
             */
            occurred_at: string;
            /** @description Time at which Sluice processed the change; for the first record, time at which its upload was accepted. `null` if that is unknown. */
            learned_at: string | null;
            /**
             * @description State of the finding.
             * @enum {string}
             */
            state: "open" | "resolved";
            /**
             * @description Status of the finding.
             * @enum {string}
             */
            status: "PASS" | "FAIL" | "MANUAL";
            /** @description Whether the finding is muted. */
            muted: boolean;
            /**
             * @description Severity of the finding.
             * @enum {string}
             */
            severity: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
            /** @description The finding just before the change. `null` for its first record. */
            previous: {
                /**
                 * @description State of the finding.
                 * @enum {string}
                 */
                state: "open" | "resolved";
                /**
                 * @description Status of the finding.
                 * @enum {string}
                 */
                status: "PASS" | "FAIL" | "MANUAL";
                /** @description Whether the finding is muted. */
                muted: boolean;
                /**
                 * @description Severity of the finding.
                 * @enum {string}
                 */
                severity: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
            } | null;
        };
        /** @description The number of failing findings over time. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[finding-trends]`. */
        FindingTrendAttributes: {
            /** @description Days in chronological order, ending with today. Absent if only hourly points are requested. */
            days: {
                /**
                 * Format: date
                 * @description Day in UTC.
                 */
                date: string;
                /** @description Number of open, unmuted findings with the status FAIL at the end of the day. */
                failed: number;
                /** @description Failing findings by severity. */
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
                /** @description Number of providers at the end of the day, with and without failing findings. Filters by service and check do not apply. */
                providers: number;
            }[];
            /** @description Hours in chronological order, ending with the current hour. Present only if hourly points are requested. */
            hours: {
                /**
                 * Format: date-time
                 * @description Beginning of the hour in UTC.
                 */
                starts_at: string;
                /** @description Number of open, unmuted findings with the status FAIL at the end of the hour. */
                failed: number;
                /** @description Failing findings by severity. */
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
                /** @description Number of providers at the end of the hour, with and without failing findings. Filters by service and check do not apply. */
                providers: number;
            }[];
        };
        /** @description A provider and the products that reported its findings. */
        ProviderWithProducts: {
            /** @constant */
            type: "providers";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["ProviderWithProductsAttributes"];
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[providers]`. */
        ProviderWithProductsAttributes: {
            /** @description Provider type in lower case, for example `aws`. */
            type: string;
            /** @description Account ID assigned by the provider. */
            account: string;
            /** @description Account name from the first records of the account. `null` if these records have no account name. */
            name: string | null;
            /** @description Name of your choice, not necessarily unique. `null` if no alias is set. */
            alias: string | null;
            /**
             * Format: date-time
             * @description Time at which the provider was created.
             */
            inserted_at: string;
            /** @description Time of the latest record. `null` if the provider has no findings. */
            last_seen_at: string | null;
            /** @description Finding counts for this provider. */
            findings: {
                /** @description Number of open findings. */
                total: number;
                /** @description Number of open findings with the status FAIL that are not muted. */
                failing: number;
            };
            /** @description Products that have reported findings of this provider, sorted by name. Findings without a product are not counted here. */
            products: {
                /** @description Name of the product, from `metadata.product.name`. */
                name: string;
                /** @description Version in the latest record of the product, from `metadata.product.version`. `null` if it has none, or if an earlier release of the service processed it. */
                version: string | null;
                /** @description Time of the latest record of the product. `null` if an earlier release of the service processed it. */
                last_seen_at: string | null;
                /** @description Finding counts for this product. */
                findings: {
                    /** @description Number of open findings. */
                    total: number;
                    /** @description Number of open findings with the status FAIL that are not muted. */
                    failing: number;
                };
            }[];
        };
        /** @description A key that authenticates requests on behalf of a user. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[api-keys]`. */
        ApiKeyAttributes: {
            /** @description Public part of the key, up to the dot. */
            prefix: string;
            /** @description Name of the key. `null` for keys created with an admin command. */
            name: string | null;
            /** @description Permissions that the key is restricted to. `null` if the key has all permissions of its user. */
            permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[] | null;
            /**
             * Format: date-time
             * @description Time at which the key was created.
             */
            inserted_at: string;
            /** @description Time at which the key expires. `null` if it never expires. */
            expires_at: string | null;
            /** @description Time at which the key was revoked. `null` if it has not been revoked. */
            revoked_at: string | null;
            /** @description Time at which the key was last accepted. Updated periodically, once per minute by default; the most recent updates are lost if the process is killed. `null` if the key has never been used. */
            last_used_at: string | null;
        };
        /** @description A person or a program with API keys. Its roles determine its permissions. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[users]`. */
        UserAttributes: {
            /** @description Email address. Unique in the tenant, regardless of case. */
            email: string;
            /** @description Permissions granted by the user's roles. */
            permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
            /**
             * Format: date-time
             * @description Time at which the user was created.
             */
            inserted_at: string;
        };
        /** @description A new API key, including the full key. */
        CreatedApiKey: {
            /** @constant */
            type: "api-keys";
            /** Format: uuid */
            id: string;
            attributes: {
                /** @description Public part of the key, up to the dot. */
                prefix: string;
                /** @description Name of the key. `null` for keys created with an admin command. */
                name: string | null;
                /** @description Permissions that the key is restricted to. `null` if the key has all permissions of its user. */
                permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[] | null;
                /**
                 * Format: date-time
                 * @description Time at which the key was created.
                 */
                inserted_at: string;
                /** @description Time at which the key expires. `null` if it never expires. */
                expires_at: string | null;
                /** @description Time at which the key was revoked. `null` if it has not been revoked. */
                revoked_at: string | null;
                /** @description Time at which the key was last accepted. Updated periodically, once per minute by default; the most recent updates are lost if the process is killed. `null` if the key has never been used. */
                last_used_at: string | null;
                /** @description The full key. Store it now; it cannot be retrieved again. */
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
        /** @description A named set of permissions that can be assigned to users. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[roles]`. */
        RoleAttributes: {
            /** @description Name of the role. Unique in the tenant. */
            name: string;
            /** @description Permissions that the role grants. */
            permissions: ("manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans")[];
            /** @description Number of users with this role. */
            users: number;
            /**
             * Format: date-time
             * @description Time at which the role was created.
             */
            inserted_at: string;
        };
        /** @description An endpoint of yours that receives events. */
        Webhook: {
            /** @constant */
            type: "webhooks";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["WebhookAttributes"];
            relationships: {
                deliveries: {
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[webhooks]`. */
        WebhookAttributes: {
            /**
             * Format: uri
             * @description URL that events are sent to.
             */
            url: string;
            /** @description Text of your choice. `null` if there is none. */
            description: string | null;
            /**
             * @description `standard` for the format of Standard Webhooks, `slack` for that of incoming webhooks of Slack.
             * @enum {string}
             */
            format: "standard" | "slack";
            /** @description Types of events that are sent. */
            events: ("ingestion.completed" | "ingestion.failed" | "scan.changed" | "provider.created")[];
            /** @description IDs of providers. Events of ingestions and scans are sent if they have findings of one of them. `null` for all. Other events are sent in any case. */
            provider_ids: string[] | null;
            /** @description Severities. `scan.changed` is sent if the scan changed findings with one of them. `null` for all. Other events are sent in any case. */
            severities: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[] | null;
            /** @description Whether events are sent. */
            enabled: boolean;
            /** @description Time at which the webhook was disabled. `null` if it is enabled. */
            disabled_at: string | null;
            /** @description `user` if a user disabled the webhook, `failed` if all attempts at a delivery failed, `gone` if the receiver returned status 410. `null` if the webhook is enabled. */
            disabled_reason: ("user" | "failed" | "gone") | null;
            /** @description Time until which the previous secret also signs deliveries. `null` if there is no previous secret. */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description Time at which the webhook was created.
             */
            inserted_at: string;
        };
        /** @description A webhook, including its secret. */
        WebhookWithSecret: {
            /** @constant */
            type: "webhooks";
            /** Format: uuid */
            id: string;
            attributes: {
                /**
                 * Format: uri
                 * @description URL that events are sent to.
                 */
                url: string;
                /** @description Text of your choice. `null` if there is none. */
                description: string | null;
                /**
                 * @description `standard` for the format of Standard Webhooks, `slack` for that of incoming webhooks of Slack.
                 * @enum {string}
                 */
                format: "standard" | "slack";
                /** @description Types of events that are sent. */
                events: ("ingestion.completed" | "ingestion.failed" | "scan.changed" | "provider.created")[];
                /** @description IDs of providers. Events of ingestions and scans are sent if they have findings of one of them. `null` for all. Other events are sent in any case. */
                provider_ids: string[] | null;
                /** @description Severities. `scan.changed` is sent if the scan changed findings with one of them. `null` for all. Other events are sent in any case. */
                severities: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[] | null;
                /** @description Whether events are sent. */
                enabled: boolean;
                /** @description Time at which the webhook was disabled. `null` if it is enabled. */
                disabled_at: string | null;
                /** @description `user` if a user disabled the webhook, `failed` if all attempts at a delivery failed, `gone` if the receiver returned status 410. `null` if the webhook is enabled. */
                disabled_reason: ("user" | "failed" | "gone") | null;
                /** @description Time until which the previous secret also signs deliveries. `null` if there is no previous secret. */
                previous_secret_expires_at: string | null;
                /**
                 * Format: date-time
                 * @description Time at which the webhook was created.
                 */
                inserted_at: string;
                /** @description Secret that signs deliveries: `whsec_` and Base64. Store it now; it cannot be retrieved again. */
                secret: string;
            };
            relationships: {
                deliveries: {
                    links: {
                        /** Format: uri */
                        related: string;
                    };
                };
            };
            links: {
                /** Format: uri */
                self: string;
            };
        };
        /** @description An event for a webhook. Kept for 30 days. */
        WebhookDelivery: {
            /** @constant */
            type: "webhook-deliveries";
            /** Format: uuid */
            id: string;
            attributes: components["schemas"]["WebhookDeliveryAttributes"];
            relationships: {
                webhook: {
                    data: {
                        /** @constant */
                        type: "webhooks";
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[webhook-deliveries]`. */
        WebhookDeliveryAttributes: {
            /**
             * Format: uuid
             * @description ID of the event, as in the header `webhook-id`. The same for all webhooks and attempts.
             */
            event_id: string;
            /** @description Type of the event, for example `ingestion.completed`. */
            event_type: string;
            /**
             * @description `pending` until an attempt succeeds (`delivered`). `failed` after 10 attempts, or if the webhook was disabled.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts. */
            attempts: number;
            /** @description Body of the request, the same in each attempt. */
            payload: string;
            /**
             * Format: date-time
             * @description Time at which the event occurred.
             */
            inserted_at: string;
            /** @description Time of the latest attempt. `null` if there was none. */
            last_attempt_at: string | null;
            /** @description Time of the next attempt. `null` if the delivery is not pending. */
            next_attempt_at: string | null;
            /** @description Status of the latest response. `null` if there was no response. */
            response_status: number | null;
            /** @description First 1,000 characters of the latest response. `null` if there was no response. */
            response_body: string | null;
            /** @description Why there was no response to the latest attempt, or why no further attempt is made. `null` if there is no such reason. */
            error: string | null;
        };
        /** @description The tenant's subscription. Its ID is the tenant ID. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[subscriptions]`. */
        SubscriptionAttributes: {
            /**
             * @description Uploads require an active subscription.
             * @enum {string}
             */
            state: "active" | "none";
            /** @description Number of billed providers: one per account, excluding deleted providers. */
            providers: number;
            /** @description Number of billed providers by type. */
            providers_by_type: {
                /** @description Provider type in lower case, for example `aws`. */
                type: string;
                /** @description Number of billed providers of this type. */
                providers: number;
            }[];
        };
        /** @description A change to the tenant's data: who made it, when, and from which address. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[audit-events]`. */
        AuditEventAttributes: {
            /** @description Type of the change, for example `provider.deleted`. */
            action: string;
            /**
             * @description `user` for changes made through this API, `operator` for admin commands.
             * @enum {string}
             */
            actor: "user" | "operator";
            /** @description Email of the user at the time of the change. Kept after the user is deleted. `null` for operators. */
            user_email: string | null;
            /** @description Prefix of the API key used for the change. `null` for operators. */
            api_key_prefix: string | null;
            /** @description Resource type of the changed resource. */
            target_type: string;
            /** @description ID of the changed resource. */
            target_id: string;
            /** @description New values of the changed properties. */
            changes: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time of the change.
             */
            occurred_at: string;
            /** @description IP address of the client. `null` for operators. */
            address: string | null;
            /** @description ID of the request, as in the header `X-Request-Id`. `null` for operators. */
            request_id: string | null;
        };
        /** @description The limits that apply to requests. */
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
                /** @description Attributes that were truncated to at most 4,096 characters in this response. Get the resource by its ID for the full text. */
                truncated?: string[];
            };
        };
        /** @description All attributes, or those selected by `fields[limits]`. */
        LimitAttributes: {
            /** @description Maximum size of an uploaded file as received, in bytes. */
            upload_max_bytes: number;
            /** @description Maximum size of an uploaded file after decompression, in bytes. */
            inflated_max_bytes: number;
            /** @description Supported compression formats of uploaded files. */
            encodings: ("identity" | "gzip" | "zstd")[];
            /** @description Maximum number of fields in the multipart form of an upload. */
            upload_max_parts: number;
            /** @description Maximum number of concurrent uploads; further uploads wait in a queue. Applies to each server process. */
            uploads_at_once: number;
            /** @description Maximum number of concurrent uploads per tenant. Applies to each server process. */
            uploads_at_once_per_tenant: number;
            /** @description Maximum time that an upload waits in the queue, in seconds. */
            upload_queue_seconds: number;
            /** @description Minimum transfer rate of an upload in bytes per second, averaged over `upload_pace_seconds`. */
            upload_min_bytes_per_second: number;
            /** @description Interval over which the transfer rate is averaged, in seconds. */
            upload_pace_seconds: number;
            /** @description Maximum duration of an upload from its first to its last byte, in hours. */
            upload_max_hours: number;
            /** @description Maximum number of concurrent reads of findings, scans, checks, providers, API keys, users, roles and audit events; further reads wait in a queue. Applies to each server process. */
            reads_at_once: number;
            /** @description Maximum number of concurrent reads per tenant. Applies to each server process. */
            reads_at_once_per_tenant: number;
            /** @description Maximum time that a read waits in the queue, in seconds. */
            read_queue_seconds: number;
            /** @description Maximum duration of each database statement of a read, in seconds. */
            read_seconds: number;
            /** @description Maximum number of concurrent exports of findings. Applies to each server process. */
            exports_at_once: number;
            /** @description Maximum number of concurrent exports of findings per tenant, in all server processes together. */
            exports_at_once_per_tenant: number;
            /** @description Maximum size of a record, in bytes. */
            record_max_bytes: number;
            /** @description Maximum nesting depth of a record. */
            record_max_depth: number;
            /** @description Maximum number of keys in a record. */
            record_max_keys: number;
            /** @description Maximum number of errors stored per job. The counts per error code include all errors. */
            errors_kept_per_job: number;
            /** @description Number of resources per page if `page[size]` is absent. */
            default_page_size: number;
            /** @description Maximum value of `page[size]`. */
            max_page_size: number;
            /** @description Maximum number of requests per minute per API key. `null` if unlimited. */
            requests_per_minute: number | null;
            /** @description Maximum number of uploads per minute per API key. `null` if unlimited. */
            uploads_per_minute: number | null;
            /** @description Maximum number of failed authentications per minute per IP address (for IPv6, per /64 network) before the service returns `429`. `null` if unlimited. Applies to each server process. */
            failed_authentications_per_minute: number | null;
            /** @description Minimum time that an idempotency key is stored, in hours. Reusing it later creates a new job. */
            idempotency_keys_kept_hours: number;
            /** @description Minimum time that an uploaded file is stored after its job ends, in days. A file is also kept while a finding refers to one of its records. */
            files_kept_days: number;
            /** @description Minimum time, in days, for which a job and its errors and warnings are kept after the job ends. A job is also kept while a finding refers to one of its records. */
            jobs_kept_days: number;
            /** @description Maximum size of a JSON:API document in a request, in bytes. */
            document_max_bytes: number;
            /** @description Maximum time for receiving a JSON:API document, in seconds. */
            document_seconds: number;
            /** @description Maximum size of the request line and headers, in bytes. */
            headers_max_bytes: number;
            /** @description Maximum number of request headers. */
            headers_max_count: number;
            /** @description Maximum time for receiving the headers of a request, in seconds. */
            header_seconds: number;
            /** @description Time after which a connection without traffic is closed, in seconds. */
            idle_seconds: number;
            /** @description Time that an idle connection is kept open for the next request, in seconds. */
            keep_alive_seconds: number;
            /** @description Maximum number of open connections; further connections are closed immediately. Applies to each server process. */
            max_connections: number;
        };
    };
    responses: {
        /** @description The request is invalid. `source` identifies the query parameter, the header or the location in the document. */
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
                 *           "title": "Invalid query parameter",
                 *           "detail": "Unknown query parameter 'limit'.",
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
        /** @description The API key is missing, malformed, unknown, revoked or expired, or it is restricted to permissions that do not include the required one. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /** @description The authentication scheme, `Api-Key`. */
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
                 *           "title": "Invalid API key",
                 *           "detail": "The API key was revoked.",
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
        /** @description The tenant has no active subscription. */
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
                 *           "title": "Subscription required",
                 *           "detail": "The tenant has no active subscription, which this request requires."
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
        /** @description The API key's user lacks the required permission, or the key lacks the permission that an `include` requires. */
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
                 *           "detail": "The API key's user lacks the permission manage_account. Ask an administrator to assign a role that includes it."
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
        /** @description The response is not available in any media type that the `Accept` header allows. */
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
                 *           "detail": "Every application/vnd.api+json entry has unsupported parameters. Send application/vnd.api+json without parameters.",
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
        /** @description The request body was received too slowly or not completed in time. The connection is closed. */
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
                 *           "title": "Upload too slow",
                 *           "detail": "The server received 120 bytes in 60 seconds; the minimum is 1024 bytes per second. Nothing was stored.",
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
        /** @description The request body exceeds a size limit. `meta` contains the limit and the size received. */
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
                 *           "title": "Document too large",
                 *           "detail": "The document is larger than 65,536 bytes.",
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
        /** @description The media type of the request body is not supported. */
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
                 *           "detail": "Send the document as application/vnd.api+json, without parameters.",
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
        /** @description The idempotency key was already used for a different upload, the host of a webhook is not a public address (`address_not_allowed`), or the tenant has the maximum number of webhooks (`too_many_webhooks`). */
        UnprocessableContent: {
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
                 *           "title": "Idempotency key reused",
                 *           "detail": "The key was already used for a different upload (ingestion 0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11). Use a new key for each upload.",
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
        /** @description The API key exceeded a rate limit, too many requests with invalid keys were sent from this IP address, or another export of the tenant is in progress (`too_many_exports`). */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /** @description Number of seconds to wait before the next request. */
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
                 *           "detail": "The API key sent 601 requests in a minute; the maximum is 600. Try again in 12 seconds."
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
        /** @description An unexpected error occurred. For details, search the server log for the ID of this error. */
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
                 *           "title": "Internal server error",
                 *           "detail": "An internal error occurred. For details, search the server log for the ID of this error."
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
        /** @description The database or the blob store is unavailable, a statement exceeded a database timeout (`database_timeout`), the request waited too long for a free slot (`too_many_uploads`, `too_many_reads`), the server process is running the maximum number of exports (`too_many_exports`), or an upgrade of the findings of the tenant is in progress (`upgrade_in_progress`). The request can be retried. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /** @description Number of seconds to wait before the next request. */
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
                 *           "title": "Database unavailable",
                 *           "detail": "The database cannot be reached. Try again in 5 seconds."
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
        /** @description The service has run out of storage. Nothing was stored. */
        InsufficientStorage: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /** @description Number of seconds to wait before the next request. */
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
                 *           "title": "Insufficient storage",
                 *           "detail": "The server has run out of storage space; nothing was stored. Try again in 60 seconds."
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
        /** @description The resource does not exist or belongs to another tenant. */
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
                 *           "detail": "No ingestion has this ID."
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
        /** @description The request conflicts with the current state, its document identifies a different resource than the path, or the finding after which an export continues has moved (`finding_changed`). */
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
                 *           "title": "Resource mismatch",
                 *           "detail": "The document identifies a different resource than the path.",
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
        /** @description The file is no longer stored. See `files_kept_days` in the limits. */
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
                 *           "title": "File removed",
                 *           "detail": "The file of ingestion 0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11 was removed after its retention period because no finding refers to it."
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
        /** @description ID of the request. It also appears in the service log. */
        RequestId: string;
        /** @description Remaining quota of each rate limit that applies to the API key, and the number of seconds until the quota resets, for example `"requests_per_minute";r=599;t=42` (draft-ietf-httpapi-ratelimit-headers-10). Absent if no rate limit applies or the key was rejected. */
        RateLimit: string;
        /** @description Quota of each rate limit that applies to the API key, and its window in seconds, for example `"requests_per_minute";q=600;w=60`. */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listIngestions: {
        parameters: {
            query?: {
                /** @description Matches this value of `status`. */
                "filter[status]"?: "pending" | "processing" | "completed" | "failed";
                /** @description Matches any of these values of `status`. Separate them with commas. */
                "filter[status__in]"?: ("pending" | "processing" | "completed" | "failed")[];
                /** @description Matches a value of `completed_at` on this day (UTC). */
                "filter[completed_at]"?: string;
                /** @description Matches a value of `completed_at` on or after this day (UTC). */
                "filter[completed_at__gte]"?: string;
                /** @description Matches a value of `completed_at` on or before this day (UTC). */
                "filter[completed_at__lte]"?: string;
                /** @description Returns jobs whose upload has this label, in the form `key=value`. If you separate several labels with commas, the upload must have all of them. */
                "filter[label]"?: string;
                /** @description Matches a value of `inserted_at` on this day (UTC). */
                "filter[inserted_at]"?: string;
                /** @description Matches a value of `inserted_at` on or after this day (UTC). */
                "filter[inserted_at__gte]"?: string;
                /** @description Matches a value of `inserted_at` on or before this day (UTC). */
                "filter[inserted_at__lte]"?: string;
                /** @description Returns jobs whose ID or file name contains this text. Case-insensitive. */
                "filter[search]"?: string;
                /** @description Attributes of `ingestions` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-inserted_at`. */
                sort?: ("inserted_at" | "-inserted_at" | "requested_at" | "-requested_at" | "started_at" | "-started_at" | "completed_at" | "-completed_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
                /** @description Attributes of `ingestions` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
            };
            header?: {
                /** @description Makes the request safe to retry. Repeating the request returns the first response and does not create a second job, unless a provider in that job was deleted in the meantime. Reusing the key for a different upload returns `422`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The file and defaults for its records. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The `.ocsf.json` file: Detection Finding records as a JSON array or as newline-delimited JSON, optionally compressed with gzip or zstd.
                     */
                    file: string;
                    /** @description Default for records that do not specify a provider. */
                    provider?: string;
                    /** @description Default for records that do not specify an account. */
                    account?: string;
                    /**
                     * @description What the file is complete for. `partial`, the default: nothing. `checks`: it contains all findings of each account, product and check in it. `account`: it contains all findings of each account and product in it. Findings of these that are not in the file are resolved when the job is completed, unless they have a newer record. The product is `metadata.product.name`.
                     * @enum {string}
                     */
                    coverage?: "partial" | "checks" | "account";
                    /**
                     * @description `true` if the job only reports what the upload would do (`GET /ingestions/{id}/dry-run`). It then validates all records, but changes no findings and creates no providers. Its file is removed after a day. The default is `false`.
                     * @enum {string}
                     */
                    dry_run?: "true" | "false";
                    /** @description Labels of the upload, such as its branch or commit. Each field has the form `key=value`, with a key of 1 to 63 letters, digits, `.`, `_`, `/` and `-`, and a value of 1 to 1,024 characters. */
                    label?: string[];
                };
            };
        };
        responses: {
            /** @description The file has been stored durably and will be processed. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description URL of the job. */
                    Location?: string;
                    /** @description URL of the job. */
                    "Content-Location"?: string;
                    /** @description Number of seconds to wait before polling the job. */
                    "Retry-After"?: string;
                    /** @description true if an earlier request with the same key created the job. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Ingestion"];
                        meta: {
                            /**
                             * @description Version of the API.
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
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getIngestion: {
        parameters: {
            query?: {
                /** @description Attributes of `ingestions` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
            };
            header?: never;
            path: {
                /** @description ID of the ingestion. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Number of seconds to wait before polling again. Present only while the job is running. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Ingestion"];
                        meta: {
                            /**
                             * @description Version of the API.
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
    retryIngestion: {
        parameters: {
            query?: {
                /** @description Attributes of `ingestions` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
            };
            header?: {
                /** @description Makes the request safe to retry. Repeating the request returns the first response and does not create a second job, unless a provider in that job was deleted in the meantime. Reusing the key for a different upload returns `422`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the ingestion. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["IngestionRetry"];
            };
        };
        responses: {
            /** @description The file has been copied durably and will be processed again. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description URL of the job. */
                    Location?: string;
                    /** @description URL of the job. */
                    "Content-Location"?: string;
                    /** @description Number of seconds to wait before polling the job. */
                    "Retry-After"?: string;
                    /** @description true if an earlier request with the same key created the job. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Ingestion"];
                        meta: {
                            /**
                             * @description Version of the API.
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
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    listIngestionErrors: {
        parameters: {
            query?: {
                /** @description Matches this value of `code`. */
                "filter[code]"?: string;
                /** @description Matches any of these values of `code`. Separate them with commas. */
                "filter[code__in]"?: string[];
                /** @description Attributes of `ingestion-errors` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestion-errors]"?: ("" | "code" | "detail" | "record_index" | "byte_offset" | "pointer" | "finding_uid")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `byte_offset`. */
                sort?: ("byte_offset" | "-byte_offset" | "record_index" | "-record_index" | "code" | "-code")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path: {
                /** @description ID of the ingestion. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of errors. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
                            text_max_length?: number;
                            /** @description Number of problems by code, including problems that were not stored. */
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
                /** @description Matches this value of `code`. */
                "filter[code]"?: string;
                /** @description Matches any of these values of `code`. Separate them with commas. */
                "filter[code__in]"?: string[];
                /** @description Attributes of `ingestion-warnings` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestion-warnings]"?: ("" | "code" | "detail" | "record_index" | "byte_offset" | "pointer" | "finding_uid" | "record_count")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `byte_offset`. */
                sort?: ("byte_offset" | "-byte_offset" | "record_index" | "-record_index" | "code" | "-code")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path: {
                /** @description ID of the ingestion. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of warnings. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
                            text_max_length?: number;
                            /** @description Number of problems by code, including problems that were not stored. */
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
    getDryRun: {
        parameters: {
            query?: {
                /** @description Attributes of `dry-runs` to return, separated by commas. Defaults to all attributes. */
                "fields[dry-runs]"?: ("" | "findings" | "new_providers" | "errors" | "warnings")[];
            };
            header?: never;
            path: {
                /** @description ID of the ingestion. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["DryRun"];
                        meta: {
                            /**
                             * @description Version of the API.
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
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIngestionRecord: {
        parameters: {
            query?: {
                /** @description Attributes of `ingestion-records` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestion-records]"?: ("" | "record_index" | "byte_offset" | "bytes" | "raw" | "truncated")[];
            };
            header?: never;
            path: {
                /** @description ID of the ingestion. */
                id: string;
                /** @description Index of the record in the file, starting at 0. */
                record_index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
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
                             * @description Version of the API.
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
                /** @description ID of the ingestion. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Contains the name of the uploaded file. */
                    "Content-Disposition"?: string;
                    /** @description Size of the file in bytes; absent if the response is compressed. */
                    "Content-Length"?: string;
                    /** @description zstd or gzip; absent if the response is not compressed. */
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
                /** @description Returns findings in any of these states. Separate them with commas. */
                "filter[state]"?: ("open" | "resolved")[];
                /** @description Matches this value of `status`. */
                "filter[status]"?: "PASS" | "FAIL" | "MANUAL";
                /** @description Matches any of these values of `status`. Separate them with commas. */
                "filter[status__in]"?: ("PASS" | "FAIL" | "MANUAL")[];
                /** @description Matches this value of `severity`. */
                "filter[severity]"?: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
                /** @description Matches any of these values of `severity`. Separate them with commas. */
                "filter[severity__in]"?: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[];
                /** @description Matches this value of `delta`. */
                "filter[delta]"?: "new" | "changed" | "unchanged";
                /** @description Matches any of these values of `delta`. Separate them with commas. */
                "filter[delta__in]"?: ("new" | "changed" | "unchanged")[];
                /** @description Returns findings that are muted (`true`) or not muted (`false`). */
                "filter[muted]"?: "true" | "false";
                /** @description Matches this provider ID. */
                "filter[provider]"?: string;
                /** @description Matches any of these provider IDs. Separate them with commas. */
                "filter[provider__in]"?: string[];
                /** @description Matches this value of `provider_type`. */
                "filter[provider_type]"?: string;
                /** @description Matches any of these values of `provider_type`. Separate them with commas. */
                "filter[provider_type__in]"?: string[];
                /** @description Matches this value of `account`. */
                "filter[account]"?: string;
                /** @description Matches any of these values of `account`. Separate them with commas. */
                "filter[account__in]"?: string[];
                /** @description Matches this value of `check_id`. */
                "filter[check_id]"?: string;
                /** @description Matches any of these values of `check_id`. Separate them with commas. */
                "filter[check_id__in]"?: string[];
                /** @description Matches this value of `category`. */
                "filter[category]"?: string;
                /** @description Matches any of these values of `category`. Separate them with commas. */
                "filter[category__in]"?: string[];
                /** @description Matches this value of `service`. An empty value matches `null`. */
                "filter[service]"?: string;
                /** @description Matches any of these values of `service`. Separate them with commas. */
                "filter[service__in]"?: string[];
                /** @description Matches this value of `region`. An empty value matches `null`. */
                "filter[region]"?: string;
                /** @description Matches any of these values of `region`. Separate them with commas. */
                "filter[region__in]"?: string[];
                /** @description Matches this value of `resource_type`. An empty value matches `null`. */
                "filter[resource_type]"?: string;
                /** @description Matches any of these values of `resource_type`. Separate them with commas. */
                "filter[resource_type__in]"?: string[];
                /** @description Matches this value of `product`. An empty value matches `null`. */
                "filter[product]"?: string;
                /** @description Matches any of these values of `product`. Separate them with commas. */
                "filter[product__in]"?: string[];
                /** @description Matches this value of `uid`. */
                "filter[uid]"?: string;
                /** @description Matches any of these values of `uid`. Separate them with commas. */
                "filter[uid__in]"?: string[];
                /** @description Matches findings of this resource, including findings that name it after another resource. */
                "filter[resource]"?: string;
                /** @description Matches findings of any of these resources, including findings that name them after other resources. Separate the IDs with commas. */
                "filter[resource__in]"?: string[];
                /** @description Matches this value of `resource_uid`. An empty value matches `null`. */
                "filter[resource_uid]"?: string;
                /** @description Matches any of these values of `resource_uid`. Separate them with commas. */
                "filter[resource_uid__in]"?: string[];
                /** @description Matches this scan ID. */
                "filter[scan]"?: string;
                /** @description Matches any of these scan IDs. Separate them with commas. */
                "filter[scan__in]"?: string[];
                /** @description Matches this ingestion ID. */
                "filter[ingestion]"?: string;
                /** @description Matches any of these ingestion IDs. Separate them with commas. */
                "filter[ingestion__in]"?: string[];
                /** @description Returns findings that a scan or an upload, given by its ID, counts as new. Findings that had not been seen before. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[new_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as reopened. Findings that were resolved before. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[reopened_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as regressed. Findings whose status changed to FAIL. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[regressed_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as fixed. Findings whose status changed from FAIL to PASS. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[fixed_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as unchanged. All other findings in the file. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[unchanged_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as resolved. Findings that the upload is complete for, but does not contain. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[resolved_in]"?: string;
                /** @description Matches a value of `first_seen_at` on this day (UTC). */
                "filter[first_seen_at]"?: string;
                /** @description Matches a value of `first_seen_at` on or after this day (UTC). */
                "filter[first_seen_at__gte]"?: string;
                /** @description Matches a value of `first_seen_at` on or before this day (UTC). */
                "filter[first_seen_at__lte]"?: string;
                /** @description Matches a value of `last_seen_at` on this day (UTC). */
                "filter[last_seen_at]"?: string;
                /** @description Matches a value of `last_seen_at` on or after this day (UTC). */
                "filter[last_seen_at__gte]"?: string;
                /** @description Matches a value of `last_seen_at` on or before this day (UTC). */
                "filter[last_seen_at__lte]"?: string;
                /** @description Matches a value of `status_changed_at` on this day (UTC). */
                "filter[status_changed_at]"?: string;
                /** @description Matches a value of `status_changed_at` on or after this day (UTC). */
                "filter[status_changed_at__gte]"?: string;
                /** @description Matches a value of `status_changed_at` on or before this day (UTC). */
                "filter[status_changed_at__lte]"?: string;
                /** @description Returns findings whose check title, check ID, resource name, resource uid, account, provider alias or name, region or uid contains these words, each in any of them. Case-insensitive. Words are separated by spaces, and each of them must match. Words of one or two characters match only at the beginning of a word, longer words anywhere. At most 32 words of at most 500 characters. */
                "filter[search]"?: string;
                /** @description Attributes of `findings` to return, separated by commas. Defaults to all attributes. */
                "fields[findings]"?: ("" | "uid" | "check_id" | "check_title" | "severity" | "state" | "status" | "status_detail" | "muted" | "delta" | "resource" | "region" | "service" | "product" | "provider_type" | "account" | "categories" | "first_seen_at" | "last_seen_at" | "status_changed_at" | "resolved_at" | "previous")[];
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Attributes of `checks` to return, separated by commas. Defaults to all attributes. */
                "fields[checks]"?: ("" | "provider_type" | "check_id" | "title" | "description" | "risk" | "remediation" | "references" | "categories" | "compliance" | "severity" | "findings")[];
                /** @description Attributes of `scans` to return, separated by commas. Defaults to all attributes. */
                "fields[scans]"?: ("" | "uid" | "started_at" | "ended_at" | "inserted_at" | "records" | "failed" | "muted" | "by_status" | "by_severity" | "failed_by_severity" | "new" | "reopened" | "regressed" | "fixed" | "unchanged" | "resolved")[];
                /** @description Attributes of `resources` to return, separated by commas. Defaults to all attributes. */
                "fields[resources]"?: ("" | "uid" | "name" | "type" | "region" | "service" | "labels" | "provider_type" | "account" | "account_alias" | "last_seen_at" | "findings")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "provider" | "check" | "scan" | "resource")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-severity`. */
                sort?: ("severity" | "-severity" | "status" | "-status" | "last_seen_at" | "-last_seen_at" | "first_seen_at" | "-first_seen_at" | "status_changed_at" | "-status_changed_at" | "check_id" | "-check_id" | "account" | "-account" | "resource" | "-resource" | "id" | "-id")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
                /** @description Cursor for cursor-based pagination. Leave it empty for the first page, then follow `links.next`. If it is present, `page[number]` is ignored. */
                "page[after]"?: string;
                /** @description Fraction of the list that precedes the page, from 0 to 1, for example for a scroll bar. The page starts approximately there. Follow `links.next` to continue. Takes precedence over `page[number]`; ignored if `page[after]` is present. */
                "page[position]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of findings. */
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
                        included?: (components["schemas"]["Provider"] | components["schemas"]["Check"] | components["schemas"]["Scan"] | components["schemas"]["Resource"])[];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
                /** @description Returns findings in any of these states. Separate them with commas. */
                "filter[state]"?: ("open" | "resolved")[];
                /** @description Matches this value of `status`. */
                "filter[status]"?: "PASS" | "FAIL" | "MANUAL";
                /** @description Matches any of these values of `status`. Separate them with commas. */
                "filter[status__in]"?: ("PASS" | "FAIL" | "MANUAL")[];
                /** @description Matches this value of `severity`. */
                "filter[severity]"?: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
                /** @description Matches any of these values of `severity`. Separate them with commas. */
                "filter[severity__in]"?: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[];
                /** @description Matches this value of `delta`. */
                "filter[delta]"?: "new" | "changed" | "unchanged";
                /** @description Matches any of these values of `delta`. Separate them with commas. */
                "filter[delta__in]"?: ("new" | "changed" | "unchanged")[];
                /** @description Returns findings that are muted (`true`) or not muted (`false`). */
                "filter[muted]"?: "true" | "false";
                /** @description Matches this provider ID. */
                "filter[provider]"?: string;
                /** @description Matches any of these provider IDs. Separate them with commas. */
                "filter[provider__in]"?: string[];
                /** @description Matches this value of `provider_type`. */
                "filter[provider_type]"?: string;
                /** @description Matches any of these values of `provider_type`. Separate them with commas. */
                "filter[provider_type__in]"?: string[];
                /** @description Matches this value of `account`. */
                "filter[account]"?: string;
                /** @description Matches any of these values of `account`. Separate them with commas. */
                "filter[account__in]"?: string[];
                /** @description Matches this value of `check_id`. */
                "filter[check_id]"?: string;
                /** @description Matches any of these values of `check_id`. Separate them with commas. */
                "filter[check_id__in]"?: string[];
                /** @description Matches this value of `category`. */
                "filter[category]"?: string;
                /** @description Matches any of these values of `category`. Separate them with commas. */
                "filter[category__in]"?: string[];
                /** @description Matches this value of `service`. An empty value matches `null`. */
                "filter[service]"?: string;
                /** @description Matches any of these values of `service`. Separate them with commas. */
                "filter[service__in]"?: string[];
                /** @description Matches this value of `region`. An empty value matches `null`. */
                "filter[region]"?: string;
                /** @description Matches any of these values of `region`. Separate them with commas. */
                "filter[region__in]"?: string[];
                /** @description Matches this value of `resource_type`. An empty value matches `null`. */
                "filter[resource_type]"?: string;
                /** @description Matches any of these values of `resource_type`. Separate them with commas. */
                "filter[resource_type__in]"?: string[];
                /** @description Matches this value of `product`. An empty value matches `null`. */
                "filter[product]"?: string;
                /** @description Matches any of these values of `product`. Separate them with commas. */
                "filter[product__in]"?: string[];
                /** @description Matches this value of `uid`. */
                "filter[uid]"?: string;
                /** @description Matches any of these values of `uid`. Separate them with commas. */
                "filter[uid__in]"?: string[];
                /** @description Matches findings of this resource, including findings that name it after another resource. */
                "filter[resource]"?: string;
                /** @description Matches findings of any of these resources, including findings that name them after other resources. Separate the IDs with commas. */
                "filter[resource__in]"?: string[];
                /** @description Matches this value of `resource_uid`. An empty value matches `null`. */
                "filter[resource_uid]"?: string;
                /** @description Matches any of these values of `resource_uid`. Separate them with commas. */
                "filter[resource_uid__in]"?: string[];
                /** @description Matches this scan ID. */
                "filter[scan]"?: string;
                /** @description Matches any of these scan IDs. Separate them with commas. */
                "filter[scan__in]"?: string[];
                /** @description Matches this ingestion ID. */
                "filter[ingestion]"?: string;
                /** @description Matches any of these ingestion IDs. Separate them with commas. */
                "filter[ingestion__in]"?: string[];
                /** @description Returns findings that a scan or an upload, given by its ID, counts as new. Findings that had not been seen before. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[new_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as reopened. Findings that were resolved before. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[reopened_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as regressed. Findings whose status changed to FAIL. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[regressed_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as fixed. Findings whose status changed from FAIL to PASS. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[fixed_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as unchanged. All other findings in the file. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[unchanged_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as resolved. Findings that the upload is complete for, but does not contain. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[resolved_in]"?: string;
                /** @description Matches a value of `first_seen_at` on this day (UTC). */
                "filter[first_seen_at]"?: string;
                /** @description Matches a value of `first_seen_at` on or after this day (UTC). */
                "filter[first_seen_at__gte]"?: string;
                /** @description Matches a value of `first_seen_at` on or before this day (UTC). */
                "filter[first_seen_at__lte]"?: string;
                /** @description Matches a value of `last_seen_at` on this day (UTC). */
                "filter[last_seen_at]"?: string;
                /** @description Matches a value of `last_seen_at` on or after this day (UTC). */
                "filter[last_seen_at__gte]"?: string;
                /** @description Matches a value of `last_seen_at` on or before this day (UTC). */
                "filter[last_seen_at__lte]"?: string;
                /** @description Matches a value of `status_changed_at` on this day (UTC). */
                "filter[status_changed_at]"?: string;
                /** @description Matches a value of `status_changed_at` on or after this day (UTC). */
                "filter[status_changed_at__gte]"?: string;
                /** @description Matches a value of `status_changed_at` on or before this day (UTC). */
                "filter[status_changed_at__lte]"?: string;
                /** @description Returns findings whose check title, check ID, resource name, resource uid, account, provider alias or name, region or uid contains these words, each in any of them. Case-insensitive. Words are separated by spaces, and each of them must match. Words of one or two characters match only at the beginning of a word, longer words anywhere. At most 32 words of at most 500 characters. */
                "filter[search]"?: string;
                /** @description Attributes of `finding-summaries` to return, separated by commas. Defaults to all attributes. */
                "fields[finding-summaries]"?: ("" | "count" | "failed" | "muted" | "by_status" | "by_severity" | "by_delta" | "by_provider" | "providers" | "by_service" | "services" | "by_region" | "regions" | "by_resource_type" | "resource_types" | "by_category" | "categories")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
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
                             * @description Version of the API.
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
    groupFindings: {
        parameters: {
            query: {
                /** @description The property by which the findings are grouped. */
                by: "check" | "resource" | "account" | "service" | "region";
                /** @description Returns findings in any of these states. Separate them with commas. */
                "filter[state]"?: ("open" | "resolved")[];
                /** @description Matches this value of `status`. */
                "filter[status]"?: "PASS" | "FAIL" | "MANUAL";
                /** @description Matches any of these values of `status`. Separate them with commas. */
                "filter[status__in]"?: ("PASS" | "FAIL" | "MANUAL")[];
                /** @description Matches this value of `severity`. */
                "filter[severity]"?: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
                /** @description Matches any of these values of `severity`. Separate them with commas. */
                "filter[severity__in]"?: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[];
                /** @description Matches this value of `delta`. */
                "filter[delta]"?: "new" | "changed" | "unchanged";
                /** @description Matches any of these values of `delta`. Separate them with commas. */
                "filter[delta__in]"?: ("new" | "changed" | "unchanged")[];
                /** @description Returns findings that are muted (`true`) or not muted (`false`). */
                "filter[muted]"?: "true" | "false";
                /** @description Matches this provider ID. */
                "filter[provider]"?: string;
                /** @description Matches any of these provider IDs. Separate them with commas. */
                "filter[provider__in]"?: string[];
                /** @description Matches this value of `provider_type`. */
                "filter[provider_type]"?: string;
                /** @description Matches any of these values of `provider_type`. Separate them with commas. */
                "filter[provider_type__in]"?: string[];
                /** @description Matches this value of `account`. */
                "filter[account]"?: string;
                /** @description Matches any of these values of `account`. Separate them with commas. */
                "filter[account__in]"?: string[];
                /** @description Matches this value of `check_id`. */
                "filter[check_id]"?: string;
                /** @description Matches any of these values of `check_id`. Separate them with commas. */
                "filter[check_id__in]"?: string[];
                /** @description Matches this value of `category`. */
                "filter[category]"?: string;
                /** @description Matches any of these values of `category`. Separate them with commas. */
                "filter[category__in]"?: string[];
                /** @description Matches this value of `service`. An empty value matches `null`. */
                "filter[service]"?: string;
                /** @description Matches any of these values of `service`. Separate them with commas. */
                "filter[service__in]"?: string[];
                /** @description Matches this value of `region`. An empty value matches `null`. */
                "filter[region]"?: string;
                /** @description Matches any of these values of `region`. Separate them with commas. */
                "filter[region__in]"?: string[];
                /** @description Matches this value of `resource_type`. An empty value matches `null`. */
                "filter[resource_type]"?: string;
                /** @description Matches any of these values of `resource_type`. Separate them with commas. */
                "filter[resource_type__in]"?: string[];
                /** @description Matches this value of `product`. An empty value matches `null`. */
                "filter[product]"?: string;
                /** @description Matches any of these values of `product`. Separate them with commas. */
                "filter[product__in]"?: string[];
                /** @description Matches this value of `uid`. */
                "filter[uid]"?: string;
                /** @description Matches any of these values of `uid`. Separate them with commas. */
                "filter[uid__in]"?: string[];
                /** @description Matches findings of this resource, including findings that name it after another resource. */
                "filter[resource]"?: string;
                /** @description Matches findings of any of these resources, including findings that name them after other resources. Separate the IDs with commas. */
                "filter[resource__in]"?: string[];
                /** @description Matches this value of `resource_uid`. An empty value matches `null`. */
                "filter[resource_uid]"?: string;
                /** @description Matches any of these values of `resource_uid`. Separate them with commas. */
                "filter[resource_uid__in]"?: string[];
                /** @description Matches this scan ID. */
                "filter[scan]"?: string;
                /** @description Matches any of these scan IDs. Separate them with commas. */
                "filter[scan__in]"?: string[];
                /** @description Matches this ingestion ID. */
                "filter[ingestion]"?: string;
                /** @description Matches any of these ingestion IDs. Separate them with commas. */
                "filter[ingestion__in]"?: string[];
                /** @description Returns findings that a scan or an upload, given by its ID, counts as new. Findings that had not been seen before. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[new_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as reopened. Findings that were resolved before. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[reopened_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as regressed. Findings whose status changed to FAIL. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[regressed_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as fixed. Findings whose status changed from FAIL to PASS. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[fixed_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as unchanged. All other findings in the file. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[unchanged_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as resolved. Findings that the upload is complete for, but does not contain. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[resolved_in]"?: string;
                /** @description Matches a value of `first_seen_at` on this day (UTC). */
                "filter[first_seen_at]"?: string;
                /** @description Matches a value of `first_seen_at` on or after this day (UTC). */
                "filter[first_seen_at__gte]"?: string;
                /** @description Matches a value of `first_seen_at` on or before this day (UTC). */
                "filter[first_seen_at__lte]"?: string;
                /** @description Matches a value of `last_seen_at` on this day (UTC). */
                "filter[last_seen_at]"?: string;
                /** @description Matches a value of `last_seen_at` on or after this day (UTC). */
                "filter[last_seen_at__gte]"?: string;
                /** @description Matches a value of `last_seen_at` on or before this day (UTC). */
                "filter[last_seen_at__lte]"?: string;
                /** @description Matches a value of `status_changed_at` on this day (UTC). */
                "filter[status_changed_at]"?: string;
                /** @description Matches a value of `status_changed_at` on or after this day (UTC). */
                "filter[status_changed_at__gte]"?: string;
                /** @description Matches a value of `status_changed_at` on or before this day (UTC). */
                "filter[status_changed_at__lte]"?: string;
                /** @description Returns findings whose check title, check ID, resource name, resource uid, account, provider alias or name, region or uid contains these words, each in any of them. Case-insensitive. Words are separated by spaces, and each of them must match. Words of one or two characters match only at the beginning of a word, longer words anywhere. At most 32 words of at most 500 characters. */
                "filter[search]"?: string;
                /** @description Attributes of `finding-groups` to return, separated by commas. Defaults to all attributes. */
                "fields[finding-groups]"?: ("" | "by" | "name" | "check" | "resource" | "account" | "total" | "failing" | "muted" | "by_severity" | "by_status" | "accounts" | "resources" | "oldest_failing_at")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-failing`. */
                sort?: ("name" | "-name" | "total" | "-total" | "failing" | "-failing" | "muted" | "-muted" | "unknown" | "-unknown" | "informational" | "-informational" | "low" | "-low" | "medium" | "-medium" | "high" | "-high" | "critical" | "-critical" | "fatal" | "-fatal" | "other" | "-other" | "pass" | "-pass" | "fail" | "-fail" | "manual" | "-manual" | "accounts" | "-accounts" | "resources" | "-resources" | "oldest_failing_at" | "-oldest_failing_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of groups. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["FindingGroup"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
    exportFindings: {
        parameters: {
            query: {
                /** @description The format of the file. */
                format: "csv" | "ndjson" | "ocsf";
                /** @description Returns findings in any of these states. Separate them with commas. */
                "filter[state]"?: ("open" | "resolved")[];
                /** @description Matches this value of `status`. */
                "filter[status]"?: "PASS" | "FAIL" | "MANUAL";
                /** @description Matches any of these values of `status`. Separate them with commas. */
                "filter[status__in]"?: ("PASS" | "FAIL" | "MANUAL")[];
                /** @description Matches this value of `severity`. */
                "filter[severity]"?: "unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other";
                /** @description Matches any of these values of `severity`. Separate them with commas. */
                "filter[severity__in]"?: ("unknown" | "informational" | "low" | "medium" | "high" | "critical" | "fatal" | "other")[];
                /** @description Matches this value of `delta`. */
                "filter[delta]"?: "new" | "changed" | "unchanged";
                /** @description Matches any of these values of `delta`. Separate them with commas. */
                "filter[delta__in]"?: ("new" | "changed" | "unchanged")[];
                /** @description Returns findings that are muted (`true`) or not muted (`false`). */
                "filter[muted]"?: "true" | "false";
                /** @description Matches this provider ID. */
                "filter[provider]"?: string;
                /** @description Matches any of these provider IDs. Separate them with commas. */
                "filter[provider__in]"?: string[];
                /** @description Matches this value of `provider_type`. */
                "filter[provider_type]"?: string;
                /** @description Matches any of these values of `provider_type`. Separate them with commas. */
                "filter[provider_type__in]"?: string[];
                /** @description Matches this value of `account`. */
                "filter[account]"?: string;
                /** @description Matches any of these values of `account`. Separate them with commas. */
                "filter[account__in]"?: string[];
                /** @description Matches this value of `check_id`. */
                "filter[check_id]"?: string;
                /** @description Matches any of these values of `check_id`. Separate them with commas. */
                "filter[check_id__in]"?: string[];
                /** @description Matches this value of `category`. */
                "filter[category]"?: string;
                /** @description Matches any of these values of `category`. Separate them with commas. */
                "filter[category__in]"?: string[];
                /** @description Matches this value of `service`. An empty value matches `null`. */
                "filter[service]"?: string;
                /** @description Matches any of these values of `service`. Separate them with commas. */
                "filter[service__in]"?: string[];
                /** @description Matches this value of `region`. An empty value matches `null`. */
                "filter[region]"?: string;
                /** @description Matches any of these values of `region`. Separate them with commas. */
                "filter[region__in]"?: string[];
                /** @description Matches this value of `resource_type`. An empty value matches `null`. */
                "filter[resource_type]"?: string;
                /** @description Matches any of these values of `resource_type`. Separate them with commas. */
                "filter[resource_type__in]"?: string[];
                /** @description Matches this value of `product`. An empty value matches `null`. */
                "filter[product]"?: string;
                /** @description Matches any of these values of `product`. Separate them with commas. */
                "filter[product__in]"?: string[];
                /** @description Matches this value of `uid`. */
                "filter[uid]"?: string;
                /** @description Matches any of these values of `uid`. Separate them with commas. */
                "filter[uid__in]"?: string[];
                /** @description Matches findings of this resource, including findings that name it after another resource. */
                "filter[resource]"?: string;
                /** @description Matches findings of any of these resources, including findings that name them after other resources. Separate the IDs with commas. */
                "filter[resource__in]"?: string[];
                /** @description Matches this value of `resource_uid`. An empty value matches `null`. */
                "filter[resource_uid]"?: string;
                /** @description Matches any of these values of `resource_uid`. Separate them with commas. */
                "filter[resource_uid__in]"?: string[];
                /** @description Matches this scan ID. */
                "filter[scan]"?: string;
                /** @description Matches any of these scan IDs. Separate them with commas. */
                "filter[scan__in]"?: string[];
                /** @description Matches this ingestion ID. */
                "filter[ingestion]"?: string;
                /** @description Matches any of these ingestion IDs. Separate them with commas. */
                "filter[ingestion__in]"?: string[];
                /** @description Returns findings that a scan or an upload, given by its ID, counts as new. Findings that had not been seen before. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[new_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as reopened. Findings that were resolved before. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[reopened_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as regressed. Findings whose status changed to FAIL. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[regressed_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as fixed. Findings whose status changed from FAIL to PASS. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[fixed_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as unchanged. All other findings in the file. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[unchanged_in]"?: string;
                /** @description Returns findings that a scan or an upload, given by its ID, counts as resolved. Findings that the upload is complete for, but does not contain. Add `filter[state]=open,resolved` to include findings that are resolved now. */
                "filter[resolved_in]"?: string;
                /** @description Matches a value of `first_seen_at` on this day (UTC). */
                "filter[first_seen_at]"?: string;
                /** @description Matches a value of `first_seen_at` on or after this day (UTC). */
                "filter[first_seen_at__gte]"?: string;
                /** @description Matches a value of `first_seen_at` on or before this day (UTC). */
                "filter[first_seen_at__lte]"?: string;
                /** @description Matches a value of `last_seen_at` on this day (UTC). */
                "filter[last_seen_at]"?: string;
                /** @description Matches a value of `last_seen_at` on or after this day (UTC). */
                "filter[last_seen_at__gte]"?: string;
                /** @description Matches a value of `last_seen_at` on or before this day (UTC). */
                "filter[last_seen_at__lte]"?: string;
                /** @description Matches a value of `status_changed_at` on this day (UTC). */
                "filter[status_changed_at]"?: string;
                /** @description Matches a value of `status_changed_at` on or after this day (UTC). */
                "filter[status_changed_at__gte]"?: string;
                /** @description Matches a value of `status_changed_at` on or before this day (UTC). */
                "filter[status_changed_at__lte]"?: string;
                /** @description Returns findings whose check title, check ID, resource name, resource uid, account, provider alias or name, region or uid contains these words, each in any of them. Case-insensitive. Words are separated by spaces, and each of them must match. Words of one or two characters match only at the beginning of a word, longer words anywhere. At most 32 words of at most 500 characters. */
                "filter[search]"?: string;
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-severity`. */
                sort?: ("severity" | "-severity" | "status" | "-status" | "last_seen_at" | "-last_seen_at" | "first_seen_at" | "-first_seen_at" | "status_changed_at" | "-status_changed_at" | "check_id" | "-check_id" | "account" | "-account" | "resource" | "-resource" | "id" | "-id")[];
                /** @description ID of the last finding that you received. Returns the findings after it in the sort order. */
                "page[after]"?: string;
                /** @description The values of the finding in `page[after]` as you received them: a JSON object with the columns of the sort keys (for `severity`, also `status`; for `resource`, `resource_name` and `resource_uid`; for `id`, `check_id` and `account`, none, because they never change). Other columns are ignored. Without this parameter, the response continues at the present position of the finding: if the finding has moved in the sort order, findings that have not changed can be missing or repeated. */
                "page[after_values]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The findings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Contains a file name. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": unknown;
                    "application/x-ndjson": unknown;
                    "application/json": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFinding: {
        parameters: {
            query?: {
                /** @description Attributes of `findings` to return, separated by commas. Defaults to all attributes. */
                "fields[findings]"?: ("" | "uid" | "check_id" | "check_title" | "severity" | "state" | "status" | "status_detail" | "muted" | "delta" | "resource" | "region" | "service" | "product" | "provider_type" | "account" | "categories" | "first_seen_at" | "last_seen_at" | "status_changed_at" | "resolved_at" | "previous" | "raw")[];
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Attributes of `checks` to return, separated by commas. Defaults to all attributes. */
                "fields[checks]"?: ("" | "provider_type" | "check_id" | "title" | "description" | "risk" | "remediation" | "references" | "categories" | "compliance" | "severity" | "findings")[];
                /** @description Attributes of `scans` to return, separated by commas. Defaults to all attributes. */
                "fields[scans]"?: ("" | "uid" | "started_at" | "ended_at" | "inserted_at" | "records" | "failed" | "muted" | "by_status" | "by_severity" | "failed_by_severity" | "new" | "reopened" | "regressed" | "fixed" | "unchanged" | "resolved")[];
                /** @description Attributes of `resources` to return, separated by commas. Defaults to all attributes. */
                "fields[resources]"?: ("" | "uid" | "name" | "type" | "region" | "service" | "labels" | "provider_type" | "account" | "account_alias" | "last_seen_at" | "findings")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "provider" | "check" | "scan" | "resource")[];
            };
            header?: never;
            path: {
                /** @description ID of the finding. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The finding with its record. */
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
                        included?: (components["schemas"]["Provider"] | components["schemas"]["Check"] | components["schemas"]["Scan"] | components["schemas"]["Resource"])[];
                        meta: {
                            /**
                             * @description Version of the API.
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
    listFindingHistory: {
        parameters: {
            query?: {
                /** @description Attributes of `finding-events` to return, separated by commas. Defaults to all attributes. */
                "fields[finding-events]"?: ("" | "change" | "occurred_at" | "learned_at" | "state" | "status" | "muted" | "severity" | "previous")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-occurred_at`. */
                sort?: ("occurred_at" | "-occurred_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path: {
                /** @description ID of the finding. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["FindingEvent"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
                            text_max_length?: number;
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
    readFindingTrend: {
        parameters: {
            query?: {
                /** @description Number of daily points, including today. Defaults to 90, or to none if `hours` is present. */
                days?: number;
                /** @description Number of hourly points, including the current hour. Defaults to none. */
                hours?: number;
                /** @description Matches this provider ID. */
                "filter[provider]"?: string;
                /** @description Matches any of these provider IDs. Separate them with commas. */
                "filter[provider__in]"?: string[];
                /** @description Matches this value of `provider_type`. */
                "filter[provider_type]"?: string;
                /** @description Matches any of these values of `provider_type`. Separate them with commas. */
                "filter[provider_type__in]"?: string[];
                /** @description Matches this value of `account`. */
                "filter[account]"?: string;
                /** @description Matches any of these values of `account`. Separate them with commas. */
                "filter[account__in]"?: string[];
                /** @description Matches this value of `check_id`. */
                "filter[check_id]"?: string;
                /** @description Matches any of these values of `check_id`. Separate them with commas. */
                "filter[check_id__in]"?: string[];
                /** @description Matches this value of `service`. An empty value matches `null`. */
                "filter[service]"?: string;
                /** @description Matches any of these values of `service`. Separate them with commas. */
                "filter[service__in]"?: string[];
                /** @description Attributes of `finding-trends` to return, separated by commas. Defaults to all attributes. */
                "fields[finding-trends]"?: ("" | "days" | "hours")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts by day or hour. */
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
                             * @description Version of the API.
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
                /** @description Matches this ingestion ID. */
                "filter[ingestion]"?: string;
                /** @description Matches any of these ingestion IDs. Separate them with commas. */
                "filter[ingestion__in]"?: string[];
                /** @description Matches this provider ID. */
                "filter[provider]"?: string;
                /** @description Matches any of these provider IDs. Separate them with commas. */
                "filter[provider__in]"?: string[];
                /** @description Matches this value of `provider_type`. */
                "filter[provider_type]"?: string;
                /** @description Matches any of these values of `provider_type`. Separate them with commas. */
                "filter[provider_type__in]"?: string[];
                /** @description Matches this value of `account`. */
                "filter[account]"?: string;
                /** @description Matches any of these values of `account`. Separate them with commas. */
                "filter[account__in]"?: string[];
                /** @description Matches this value of `uid`. */
                "filter[uid]"?: string;
                /** @description Matches any of these values of `uid`. Separate them with commas. */
                "filter[uid__in]"?: string[];
                /** @description Matches a value of `inserted_at` on this day (UTC). */
                "filter[inserted_at]"?: string;
                /** @description Matches a value of `inserted_at` on or after this day (UTC). */
                "filter[inserted_at__gte]"?: string;
                /** @description Matches a value of `inserted_at` on or before this day (UTC). */
                "filter[inserted_at__lte]"?: string;
                /** @description Returns scans whose upload has this label, in the form `key=value`. If you separate several labels with commas, the upload must have all of them. */
                "filter[label]"?: string;
                /** @description Returns scans whose uid, account or file name contains this text. Case-insensitive. */
                "filter[search]"?: string;
                /** @description Attributes of `scans` to return, separated by commas. Defaults to all attributes. */
                "fields[scans]"?: ("" | "uid" | "started_at" | "ended_at" | "inserted_at" | "records" | "failed" | "muted" | "by_status" | "by_severity" | "failed_by_severity" | "new" | "reopened" | "regressed" | "fixed" | "unchanged" | "resolved")[];
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Attributes of `ingestions` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "provider" | "ingestion")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-inserted_at`. */
                sort?: ("inserted_at" | "-inserted_at" | "records" | "-records" | "failed" | "-failed")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of scans. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
                /** @description Attributes of `scans` to return, separated by commas. Defaults to all attributes. */
                "fields[scans]"?: ("" | "uid" | "started_at" | "ended_at" | "inserted_at" | "records" | "failed" | "muted" | "by_status" | "by_severity" | "failed_by_severity" | "new" | "reopened" | "regressed" | "fixed" | "unchanged" | "resolved")[];
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Attributes of `ingestions` to return, separated by commas. Defaults to all attributes. */
                "fields[ingestions]"?: ("" | "status" | "summary" | "requested_at" | "started_at" | "completed_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "provider" | "ingestion")[];
            };
            header?: never;
            path: {
                /** @description ID of the scan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scan. */
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
                             * @description Version of the API.
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
                /** @description Matches this value of `type`. */
                "filter[type]"?: string;
                /** @description Matches any of these values of `type`. Separate them with commas. */
                "filter[type__in]"?: string[];
                /** @description Matches this value of `account`. */
                "filter[account]"?: string;
                /** @description Matches any of these values of `account`. Separate them with commas. */
                "filter[account__in]"?: string[];
                /** @description Returns providers with this alias. */
                "filter[alias]"?: string;
                /** @description Returns providers whose account, name or alias contains this text. Case-insensitive. */
                "filter[search]"?: string;
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `type,account`. */
                sort?: ("type" | "-type" | "account" | "-account" | "alias" | "-alias" | "inserted_at" | "-inserted_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of providers. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings" | "products")[];
            };
            header?: never;
            path: {
                /** @description ID of the provider. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["ProviderWithProducts"];
                        meta: {
                            /**
                             * @description Version of the API.
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
                /** @description ID of the provider. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider was deleted. */
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
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings" | "products")[];
            };
            header?: never;
            path: {
                /** @description ID of the provider. */
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
            /** @description The updated provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["ProviderWithProducts"];
                        meta: {
                            /**
                             * @description Version of the API.
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
    resolveProviderFindings: {
        parameters: {
            query?: {
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings" | "products")[];
            };
            header?: never;
            path: {
                /** @description ID of the provider. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["FindingResolution"];
            };
        };
        responses: {
            /** @description The provider before its findings are resolved. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["ProviderWithProducts"];
                        meta: {
                            /**
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            /** @description Number of findings that will be resolved. */
                            findings: number;
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
    listResources: {
        parameters: {
            query?: {
                /** @description Matches this provider ID. */
                "filter[provider]"?: string;
                /** @description Matches any of these provider IDs. Separate them with commas. */
                "filter[provider__in]"?: string[];
                /** @description Matches this value of `provider_type`. */
                "filter[provider_type]"?: string;
                /** @description Matches any of these values of `provider_type`. Separate them with commas. */
                "filter[provider_type__in]"?: string[];
                /** @description Matches this value of `account`. */
                "filter[account]"?: string;
                /** @description Matches any of these values of `account`. Separate them with commas. */
                "filter[account__in]"?: string[];
                /** @description Matches this value of `service`. An empty value matches `null`. */
                "filter[service]"?: string;
                /** @description Matches any of these values of `service`. Separate them with commas. */
                "filter[service__in]"?: string[];
                /** @description Matches this value of `region`. An empty value matches `null`. */
                "filter[region]"?: string;
                /** @description Matches any of these values of `region`. Separate them with commas. */
                "filter[region__in]"?: string[];
                /** @description Matches this value of `type`. An empty value matches `null`. */
                "filter[type]"?: string;
                /** @description Matches any of these values of `type`. Separate them with commas. */
                "filter[type__in]"?: string[];
                /** @description Matches resources that have this label. */
                "filter[label]"?: string;
                /** @description Matches resources that have any of these labels. Separate them with commas. */
                "filter[label__in]"?: string[];
                /** @description Returns resources whose name or uid contains these words. Case-insensitive. Words are separated by spaces, and each of them must match. Words of one or two characters match only at the beginning of a word, longer words anywhere. At most 32 words of at most 500 characters. */
                "filter[search]"?: string;
                /** @description Attributes of `resources` to return, separated by commas. Defaults to all attributes. */
                "fields[resources]"?: ("" | "uid" | "name" | "type" | "region" | "service" | "labels" | "provider_type" | "account" | "account_alias" | "last_seen_at" | "findings")[];
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "provider")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `name`. */
                sort?: ("name" | "-name" | "last_seen_at" | "-last_seen_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
                /** @description Cursor for cursor-based pagination. Leave it empty for the first page, then follow `links.next`. If it is present, `page[number]` is ignored. */
                "page[after]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of resources. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Resource"][];
                        included?: components["schemas"]["Provider"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
    getResource: {
        parameters: {
            query?: {
                /** @description Attributes of `resources` to return, separated by commas. Defaults to all attributes. */
                "fields[resources]"?: ("" | "uid" | "name" | "type" | "region" | "service" | "labels" | "provider_type" | "account" | "account_alias" | "last_seen_at" | "findings")[];
                /** @description Attributes of `providers` to return, separated by commas. Defaults to all attributes. */
                "fields[providers]"?: ("" | "type" | "account" | "name" | "alias" | "inserted_at" | "last_seen_at" | "findings")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "provider")[];
            };
            header?: never;
            path: {
                /** @description ID of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Resource"];
                        included?: components["schemas"]["Provider"][];
                        meta: {
                            /**
                             * @description Version of the API.
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
    listChecks: {
        parameters: {
            query?: {
                /** @description Matches this value of `provider_type`. */
                "filter[provider_type]"?: string;
                /** @description Matches any of these values of `provider_type`. Separate them with commas. */
                "filter[provider_type__in]"?: string[];
                /** @description Returns checks in this category. */
                "filter[category]"?: string;
                /** @description Returns checks whose title or ID contains this text. Case-insensitive. */
                "filter[search]"?: string;
                /** @description Attributes of `checks` to return, separated by commas. Defaults to all attributes. */
                "fields[checks]"?: ("" | "provider_type" | "check_id" | "title" | "description" | "risk" | "remediation" | "references" | "categories" | "compliance" | "severity" | "findings")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `check_id`. */
                sort?: ("check_id" | "-check_id" | "title" | "-title" | "failing" | "-failing")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of checks. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
                /** @description Attributes of `checks` to return, separated by commas. Defaults to all attributes. */
                "fields[checks]"?: ("" | "provider_type" | "check_id" | "title" | "description" | "risk" | "remediation" | "references" | "categories" | "compliance" | "severity" | "findings")[];
            };
            header?: never;
            path: {
                /** @description ID of the check. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The check. */
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
                             * @description Version of the API.
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
                /** @description Matches this user ID. */
                "filter[user]"?: string;
                /** @description Matches any of these user IDs. Separate them with commas. */
                "filter[user__in]"?: string[];
                /** @description Returns keys that are revoked (`true`) or not revoked (`false`). Expired keys are included. */
                "filter[revoked]"?: "true" | "false";
                /** @description Returns keys whose name or prefix contains this text. Case-insensitive. */
                "filter[search]"?: string;
                /** @description Attributes of `api-keys` to return, separated by commas. Defaults to all attributes. */
                "fields[api-keys]"?: ("" | "prefix" | "name" | "permissions" | "inserted_at" | "expires_at" | "revoked_at" | "last_used_at")[];
                /** @description Attributes of `users` to return, separated by commas. Defaults to all attributes. */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "user")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-inserted_at`. */
                sort?: ("inserted_at" | "-inserted_at" | "expires_at" | "-expires_at" | "last_used_at" | "-last_used_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API keys. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
            /** @description The new API key, including the full key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description URL of the new API key. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["CreatedApiKey"];
                        meta: {
                            /**
                             * @description Version of the API.
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
                /** @description Attributes of `api-keys` to return, separated by commas. Defaults to all attributes. */
                "fields[api-keys]"?: ("" | "prefix" | "name" | "permissions" | "inserted_at" | "expires_at" | "revoked_at" | "last_used_at")[];
                /** @description Attributes of `users` to return, separated by commas. Defaults to all attributes. */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "user")[];
            };
            header?: never;
            path: {
                /** @description ID of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key, without its secret. */
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
                             * @description Version of the API.
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
                /** @description ID of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key was revoked. */
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
                /** @description Returns the user with this email. Case-insensitive. */
                "filter[email]"?: string;
                /** @description Returns users who have the role with this ID. */
                "filter[role]"?: string;
                /** @description Returns users whose ID or email contains this text. Case-insensitive. */
                "filter[search]"?: string;
                /** @description Attributes of `users` to return, separated by commas. Defaults to all attributes. */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Attributes of `roles` to return, separated by commas. Defaults to all attributes. */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "roles")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `email`. */
                sort?: ("email" | "-email" | "inserted_at" | "-inserted_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
                /** @description Attributes of `users` to return, separated by commas. Defaults to all attributes. */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Attributes of `roles` to return, separated by commas. Defaults to all attributes. */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Related resources to include, separated by commas. */
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
            /** @description The new user. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description URL of the new user. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["User"];
                        included?: components["schemas"]["Role"][];
                        meta: {
                            /**
                             * @description Version of the API.
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
                /** @description Attributes of `users` to return, separated by commas. Defaults to all attributes. */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Attributes of `roles` to return, separated by commas. Defaults to all attributes. */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "roles")[];
            };
            header?: never;
            path: {
                /** @description ID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
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
                             * @description Version of the API.
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
                /** @description ID of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user was deleted. */
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
                /** @description Attributes of `users` to return, separated by commas. Defaults to all attributes. */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Attributes of `roles` to return, separated by commas. Defaults to all attributes. */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "roles")[];
            };
            header?: never;
            path: {
                /** @description ID of the user. */
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
            /** @description The updated user. */
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
                             * @description Version of the API.
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
                /** @description Returns roles that have this permission. */
                "filter[permission]"?: "manage_ingestions" | "read_findings" | "manage_providers" | "manage_users" | "manage_account" | "manage_billing" | "manage_scans";
                /** @description Returns roles whose ID or name contains this text. Case-insensitive. */
                "filter[search]"?: string;
                /** @description Attributes of `roles` to return, separated by commas. Defaults to all attributes. */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `name`. */
                sort?: ("name" | "-name" | "inserted_at" | "-inserted_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of roles. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
                /** @description Attributes of `roles` to return, separated by commas. Defaults to all attributes. */
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
            /** @description The new role. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description URL of the new role. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Role"];
                        meta: {
                            /**
                             * @description Version of the API.
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
                /** @description Attributes of `roles` to return, separated by commas. Defaults to all attributes. */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
            };
            header?: never;
            path: {
                /** @description ID of the role. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role. */
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
                             * @description Version of the API.
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
                /** @description ID of the role. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role was deleted. */
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
                /** @description Attributes of `roles` to return, separated by commas. Defaults to all attributes. */
                "fields[roles]"?: ("" | "name" | "permissions" | "users" | "inserted_at")[];
            };
            header?: never;
            path: {
                /** @description ID of the role. */
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
            /** @description The updated role. */
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
                             * @description Version of the API.
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
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Returns webhooks that are enabled (`true`) or disabled (`false`). */
                "filter[enabled]"?: "true" | "false";
                /** @description Attributes of `webhooks` to return, separated by commas. Defaults to all attributes. */
                "fields[webhooks]"?: ("" | "url" | "description" | "format" | "events" | "provider_ids" | "severities" | "enabled" | "disabled_at" | "disabled_reason" | "previous_secret_expires_at" | "inserted_at")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `inserted_at`. */
                sort?: ("inserted_at" | "-inserted_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Webhook"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The new webhook, including its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description URL of the new webhook. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        meta: {
                            /**
                             * @description Version of the API.
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
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /** @description Attributes of `webhooks` to return, separated by commas. Defaults to all attributes. */
                "fields[webhooks]"?: ("" | "url" | "description" | "format" | "events" | "provider_ids" | "severities" | "enabled" | "disabled_at" | "disabled_reason" | "previous_secret_expires_at" | "inserted_at")[];
            };
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, without its secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Webhook"];
                        meta: {
                            /**
                             * @description Version of the API.
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
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook was deleted. */
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
    updateWebhook: {
        parameters: {
            query?: {
                /** @description Attributes of `webhooks` to return, separated by commas. Defaults to all attributes. */
                "fields[webhooks]"?: ("" | "url" | "description" | "format" | "events" | "provider_ids" | "severities" | "enabled" | "disabled_at" | "disabled_reason" | "previous_secret_expires_at" | "inserted_at")[];
            };
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/vnd.api+json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description The updated webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["Webhook"];
                        meta: {
                            /**
                             * @description Version of the API.
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
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["InsufficientStorage"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, including its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        meta: {
                            /**
                             * @description Version of the API.
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
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Matches this value of `status`. */
                "filter[status]"?: "pending" | "delivered" | "failed";
                /** @description Matches any of these values of `status`. Separate them with commas. */
                "filter[status__in]"?: ("pending" | "delivered" | "failed")[];
                /** @description Attributes of `webhook-deliveries` to return, separated by commas. Defaults to all attributes. */
                "fields[webhook-deliveries]"?: ("" | "event_id" | "event_type" | "status" | "attempts" | "payload" | "inserted_at" | "last_attempt_at" | "next_attempt_at" | "response_status" | "response_body" | "error")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-inserted_at`. */
                sort?: ("inserted_at" | "-inserted_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
                /** @description Cursor for cursor-based pagination. Leave it empty for the first page, then follow `links.next`. If it is present, `page[number]` is ignored. */
                "page[after]"?: string;
            };
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        links: components["schemas"]["PageLinks"];
                        meta: {
                            /**
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
                            text_max_length?: number;
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
    getWebhookDelivery: {
        parameters: {
            query?: {
                /** @description Attributes of `webhook-deliveries` to return, separated by commas. Defaults to all attributes. */
                "fields[webhook-deliveries]"?: ("" | "event_id" | "event_type" | "status" | "attempts" | "payload" | "inserted_at" | "last_attempt_at" | "next_attempt_at" | "response_status" | "response_body" | "error")[];
            };
            header?: never;
            path: {
                /** @description ID of the webhook delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["WebhookDelivery"];
                        meta: {
                            /**
                             * @description Version of the API.
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
    repeatWebhookDelivery: {
        parameters: {
            query?: {
                /** @description Attributes of `webhook-deliveries` to return, separated by commas. Defaults to all attributes. */
                "fields[webhook-deliveries]"?: ("" | "event_id" | "event_type" | "status" | "attempts" | "payload" | "inserted_at" | "last_attempt_at" | "next_attempt_at" | "response_status" | "response_body" | "error")[];
            };
            header?: never;
            path: {
                /** @description ID of the webhook delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery will be sent. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description URL of the delivery. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["WebhookDelivery"];
                        meta: {
                            /**
                             * @description Version of the API.
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
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: {
                /** @description Attributes of `webhook-deliveries` to return, separated by commas. Defaults to all attributes. */
                "fields[webhook-deliveries]"?: ("" | "event_id" | "event_type" | "status" | "attempts" | "payload" | "inserted_at" | "last_attempt_at" | "next_attempt_at" | "response_status" | "response_body" | "error")[];
            };
            header?: never;
            path: {
                /** @description ID of the webhook. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the test event. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description URL of the delivery. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.api+json": {
                        data: components["schemas"]["WebhookDelivery"];
                        meta: {
                            /**
                             * @description Version of the API.
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
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: {
                /** @description Attributes of `subscriptions` to return, separated by commas. Defaults to all attributes. */
                "fields[subscriptions]"?: ("" | "state" | "providers" | "providers_by_type")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription. */
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
                             * @description Version of the API.
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
                /** @description Matches this value of `action`. */
                "filter[action]"?: string;
                /** @description Matches any of these values of `action`. Separate them with commas. */
                "filter[action__in]"?: string[];
                /** @description Matches this user ID. */
                "filter[user]"?: string;
                /** @description Matches any of these user IDs. Separate them with commas. */
                "filter[user__in]"?: string[];
                /** @description Matches this value of `target_type`. */
                "filter[target_type]"?: string;
                /** @description Matches any of these values of `target_type`. Separate them with commas. */
                "filter[target_type__in]"?: string[];
                /** @description Matches this value of `target_id`. */
                "filter[target_id]"?: string;
                /** @description Matches any of these values of `target_id`. Separate them with commas. */
                "filter[target_id__in]"?: string[];
                /** @description Matches a value of `occurred_at` on this day (UTC). */
                "filter[occurred_at]"?: string;
                /** @description Matches a value of `occurred_at` on or after this day (UTC). */
                "filter[occurred_at__gte]"?: string;
                /** @description Matches a value of `occurred_at` on or before this day (UTC). */
                "filter[occurred_at__lte]"?: string;
                /** @description Attributes of `audit-events` to return, separated by commas. Defaults to all attributes. */
                "fields[audit-events]"?: ("" | "action" | "actor" | "user_email" | "api_key_prefix" | "target_type" | "target_id" | "changes" | "occurred_at" | "address" | "request_id")[];
                /** @description Attributes of `users` to return, separated by commas. Defaults to all attributes. */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "user")[];
                /** @description Sort keys, separated by commas. Prefix a key with `-` for descending order. Defaults to `-occurred_at`. */
                sort?: ("occurred_at" | "-occurred_at")[];
                /** @description Page number, starting at 1. Defaults to 1. */
                "page[number]"?: number;
                /** @description Number of resources per page, at most 1,000. Defaults to 10. */
                "page[size]"?: number;
                /** @description Cursor for cursor-based pagination. Leave it empty for the first page, then follow `links.next`. If it is present, `page[number]` is ignored. */
                "page[after]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of audit events. */
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
                             * @description Version of the API.
                             * @constant
                             */
                            version: "v1";
                            pagination?: components["schemas"]["Pagination"];
                            /** @description Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded 16,777,216 bytes. */
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
                /** @description Attributes of `audit-events` to return, separated by commas. Defaults to all attributes. */
                "fields[audit-events]"?: ("" | "action" | "actor" | "user_email" | "api_key_prefix" | "target_type" | "target_id" | "changes" | "occurred_at" | "address" | "request_id")[];
                /** @description Attributes of `users` to return, separated by commas. Defaults to all attributes. */
                "fields[users]"?: ("" | "email" | "permissions" | "inserted_at")[];
                /** @description Related resources to include, separated by commas. */
                include?: ("" | "user")[];
            };
            header?: never;
            path: {
                /** @description ID of the audit event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audit event. */
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
                             * @description Version of the API.
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
                /** @description Attributes of `limits` to return, separated by commas. Defaults to all attributes. */
                "fields[limits]"?: ("" | "upload_max_bytes" | "inflated_max_bytes" | "encodings" | "upload_max_parts" | "uploads_at_once" | "uploads_at_once_per_tenant" | "upload_queue_seconds" | "upload_min_bytes_per_second" | "upload_pace_seconds" | "upload_max_hours" | "reads_at_once" | "reads_at_once_per_tenant" | "read_queue_seconds" | "read_seconds" | "exports_at_once" | "exports_at_once_per_tenant" | "record_max_bytes" | "record_max_depth" | "record_max_keys" | "errors_kept_per_job" | "default_page_size" | "max_page_size" | "requests_per_minute" | "uploads_per_minute" | "failed_authentications_per_minute" | "idempotency_keys_kept_hours" | "files_kept_days" | "jobs_kept_days" | "document_max_bytes" | "document_seconds" | "headers_max_bytes" | "headers_max_count" | "header_seconds" | "idle_seconds" | "keep_alive_seconds" | "max_connections")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits. */
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
                             * @description Version of the API.
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
    receiveIngestionCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description ID of the event, the same in each attempt. Use it to ignore events that you have received before. */
                "webhook-id": string;
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures separated by spaces: `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`. There are two for 24 hours after the secret was rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestionCompletedEvent"];
            };
        };
        responses: {
            /** @description The webhook is no longer wanted. It is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed. It is retried for three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveIngestionFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description ID of the event, the same in each attempt. Use it to ignore events that you have received before. */
                "webhook-id": string;
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures separated by spaces: `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`. There are two for 24 hours after the secret was rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestionFailedEvent"];
            };
        };
        responses: {
            /** @description The webhook is no longer wanted. It is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed. It is retried for three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveScanChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description ID of the event, the same in each attempt. Use it to ignore events that you have received before. */
                "webhook-id": string;
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures separated by spaces: `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`. There are two for 24 hours after the secret was rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanChangedEvent"];
            };
        };
        responses: {
            /** @description The webhook is no longer wanted. It is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed. It is retried for three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveProviderCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description ID of the event, the same in each attempt. Use it to ignore events that you have received before. */
                "webhook-id": string;
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures separated by spaces: `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`. There are two for 24 hours after the secret was rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderCreatedEvent"];
            };
        };
        responses: {
            /** @description The webhook is no longer wanted. It is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed. It is retried for three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description ID of the event, the same in each attempt. Use it to ignore events that you have received before. */
                "webhook-id": string;
                /** @description Time of the attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures separated by spaces: `v1,` and the Base64 of the HMAC-SHA256 of `id.timestamp.body`. There are two for 24 hours after the secret was rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description The webhook is no longer wanted. It is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery failed. It is retried for three days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
