import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { findingFilters } from './filters.ts';
import { FINDING_INCLUDES, includedOf, includedResources } from './included.ts';
import { readRecord } from './read-record.ts';
import { FINDING_SORTS, findFinding, findRecordPlace, listFindings } from './repository.ts';
import { FINDINGS, findingResource, findings, findingWithRecord } from './resource.ts';
import { summarizeFindings } from './summary.ts';
import { FINDING_SUMMARIES, findingSummaries, findingSummaryResource } from './summary-resource.ts';

/** Any key of the tenant may read. */
const access = {};

const SORT_DESCRIPTION =
  'Severities are sorted by OCSF severity_id: unknown, informational, low, medium, high, critical, fatal, and other above them all, because nobody can say that it is less grave. Statuses are sorted as PASS, FAIL, MANUAL.';

const CURSOR_DESCRIPTION =
  'To read very many findings begin with an empty page[after] and follow links.next: no page takes longer than the first. Sorted by id or check_id, which never change, each finding is met exactly once, whatever comes in meanwhile; in another order one whose place changes meanwhile can be missed or met again.';

/** The endpoints of findings: the list, one with its record, and counts. */
export function findingEndpoints({ pool, blobs, publicUrl }: ApiDependencies): readonly Endpoint[] {
  const included = includedResources();
  const relatedFields = Object.fromEntries(included.map(({ type, attributes }) => [type, attributes]));

  const list: Endpoint = {
    method: 'GET',
    path: '/findings',
    operationId: 'listFindings',
    tag: 'Findings',
    summary: 'List findings',
    description: `${SORT_DESCRIPTION} ${CURSOR_DESCRIPTION}`,
    access,
    query: {
      fields: { [FINDINGS]: findings.attributes, ...relatedFields },
      includes: FINDING_INCLUDES,
      filters: findingFilters,
      list: { sorts: FINDING_SORTS, defaultSort: '-severity', cursors: true },
    },
    answers: { 200: { description: 'A page of findings', schema: listOf(findings, { included }) } },
    handle: async ({ request, access: { tenantId }, query }) => {
      const { page, related } = await readAsTenant(pool, tenantId, async (client) => {
        const page = await listFindings(client, tenantId, query);
        return { page, related: await includedOf(client, tenantId, page.rows, query, publicUrl()) };
      });
      const data = page.rows.map((row) => findingResource(row, publicUrl(), query.fields.get(FINDINGS)));
      return listAnswer({ data, included: related, page, query, request, publicUrl: publicUrl() });
    },
  };

  const summary: Endpoint = {
    method: 'GET',
    path: '/findings/summary',
    operationId: 'summarizeFindings',
    tag: 'Findings',
    summary: 'Count findings',
    description:
      'Counts by status, severity, delta, provider and service under the same filters as the list of findings.',
    access,
    query: { fields: { [FINDING_SUMMARIES]: findingSummaries.attributes }, filters: findingFilters },
    answers: { 200: { description: 'The counts', schema: documentOf(findingSummaries) } },
    handle: async ({ access: { tenantId }, query }) => {
      const rows = await readAsTenant(pool, tenantId, (client) => summarizeFindings(client, tenantId, query));
      const data = findingSummaryResource(rows, query.fields.get(FINDING_SUMMARIES));
      return { status: 200, document: { data } };
    },
  };

  const get: Endpoint = {
    method: 'GET',
    path: '/findings/{id}',
    operationId: 'getFinding',
    tag: 'Findings',
    summary: 'Get a finding and its record',
    access,
    query: {
      fields: { [FINDINGS]: findingWithRecord.attributes, ...relatedFields },
      includes: FINDING_INCLUDES,
    },
    answers: {
      200: { description: 'The finding', schema: documentOf(findingWithRecord, { included }) },
    },
    handle: async ({ access: { tenantId }, params: { id }, query }) => {
      const fields = query.fields.get(FINDINGS);
      const found = await readAsTenant(pool, tenantId, async (client) => {
        const row = id !== undefined && isUuid(id) ? await findFinding(client, tenantId, id) : undefined;
        if (row === undefined) return undefined;
        const withRecord = fields === undefined || fields.has('raw');
        const place = withRecord ? await findRecordPlace(client, tenantId, row.id) : undefined;
        return { row, place, related: await includedOf(client, tenantId, [row], query, publicUrl()) };
      });
      if (found === undefined) throw notFound('There is no finding with this id');
      const { row, place, related } = found;
      const record = place === undefined ? undefined : await readRecord(blobs, tenantId, place);
      const data = findingResource(row, publicUrl(), fields, record);
      return {
        status: 200,
        document: { data, ...(related !== undefined && { included: related }) },
      };
    },
  };
  return [list, summary, get];
}
