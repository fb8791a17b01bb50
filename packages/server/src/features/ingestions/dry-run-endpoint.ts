import { z } from 'zod';
import { onlyRow } from '../../db/only-row.ts';
import { readAsTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import type { DryRunReport } from '../../ingest/dry-run/end-dry-run.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { ApiError, ingestionInProgress } from '../../jsonapi/errors.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, documentOf } from '../../jsonapi/schemas.ts';
import { changedFindings, changedFindingsOf } from '../../resources/finding-changes.ts';
import { INGESTIONS, ingestionResourceType } from '../../resources/ingestions.ts';
import { countsByCode, problemCounts } from './problem-endpoints.ts';

const DRY_RUNS = 'dry-runs';

const dryRuns = describeResource({
  type: DRY_RUNS,
  description: 'What an upload would do. Its ID is that of the ingestion.',
  attributes: {
    findings: changedFindings.unwrap().meta({
      description:
        'How the upload would change findings, compared with their state during the dry run: the number of findings by severity.',
    }),
    new_providers: z
      .strictObject({
        total: z.int().min(0).meta({ description: 'Number of providers that the upload would create.' }),
        listed: z
          .array(
            z.strictObject({
              type: z.string(),
              account: z.string(),
              name: z
                .string()
                .nullable()
                .meta({ description: 'Name of the account. `null` if no record names it.' }),
            }),
          )
          .meta({ description: 'The first 1,000 of them by type and account.' }),
      })
      .meta({ description: 'The accounts that the upload would add to the billable providers.' }),
    errors: problemCounts,
    warnings: problemCounts,
  },
});

/** The endpoint that returns the report of a dry run. */
export function dryRunEndpoints({ publicUrl, pool }: ApiDependencies): readonly Endpoint[] {
  const { access } = ingestionResourceType;
  const get: Endpoint = {
    method: 'GET',
    path: '/ingestions/{id}/dry-run',
    resourceType: ingestionResourceType,
    operationId: 'getDryRun',
    tag: 'Ingestions',
    summary: "Get a dry run's report",
    description:
      'Returns what the upload would do. Returns `404` if the job is not a dry run, and `409` (`ingestion_in_progress`) if it has not ended.',
    access,
    query: { fields: { [DRY_RUNS]: dryRuns.attributes } },
    responses: { 200: { description: 'The report.', schema: documentOf(dryRuns) } },
    errors: [409],
    handle: async ({ access: { tenantId }, params, query }) => {
      const { id, report, errors, warnings } = await readAsTenant(pool, tenantId, async (client) => {
        const job = await findExisting(ingestionResourceType, client, tenantId, params.id);
        if (!job.dry_run) throw notDryRun(job.id);
        if (job.completed_at === null)
          throw ingestionInProgress(job.id, 'Read its report when its status is completed or failed.');
        const { report } = onlyRow(
          await client.query<{ report: DryRunReport }>(
            'select dry_run_report as report from ingestions where tenant_id = $1 and id = $2',
            [tenantId, job.id],
          ),
        );
        return {
          id: job.id,
          report,
          errors: await countsByCode(client, 'ingestion_error_counts', tenantId, job.id),
          warnings: await countsByCode(client, 'ingestion_warning_counts', tenantId, job.id),
        };
      });
      const attributes = {
        findings: changedFindingsOf(report.changeCounts),
        new_providers: report.newProviders,
        errors,
        warnings,
      };
      const data = {
        type: DRY_RUNS,
        id,
        attributes: selectFields(attributes, query.fields.get(DRY_RUNS)),
        links: { self: `${publicUrl()}${API_PREFIX}/${INGESTIONS}/${id}/dry-run` },
      };
      return { status: 200, document: { data, meta: {} } };
    },
  };
  return [get];
}

function notDryRun(id: string): ApiError {
  return new ApiError({
    status: 404,
    code: 'not_found',
    detail: `Ingestion ${id} is not a dry run. See its meta.findings for what it changed.`,
  });
}
