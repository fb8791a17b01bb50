import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { equalityFilters, filter, searchIn } from '../../jsonapi/filters.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { findChecksByIds, listChecks } from './repository.ts';
import { CHECKS, checkResource, checks } from './resource.ts';

const fields = { [CHECKS]: checks.attributes };

const filters = {
  ...equalityFilters('provider_type', 'provider_type', z.string(), 'text'),
  category: filter({
    description: 'Only those that have this among their categories',
    schema: z.string(),
    condition: (value) => ({ sql: (bind) => `${bind(value)}::text = any(categories)` }),
  }),
  search: searchIn('Only those with this text in their title or id', [
    'title',
    `(provider_type || '.' || check_id)`,
  ]),
};

/** The endpoints of checks: who has a key of the tenant may read them. */
export function checkEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  const list: Endpoint = {
    method: 'GET',
    path: '/checks',
    operationId: 'listChecks',
    tag: 'Checks',
    summary: 'List checks',
    description:
      'Every check that a finding was ever judged by, also where no provider is left that has findings of it. Findings are counted for each request; name other fields where you need no counts.',
    access: {},
    query: {
      fields,
      filters,
      list: {
        sorts: {
          check_id: { sql: 'check_id', type: 'text' },
          title: { sql: 'title', type: 'text', nullable: true },
        },
        defaultSort: 'check_id',
      },
    },
    answers: { 200: { description: 'A page of checks', schema: listOf(checks) } },
    handle: async ({ request, access: { tenantId }, query }) => {
      const wanted = query.fields.get(CHECKS);
      const page = await readAsTenant(pool, tenantId, (client) =>
        listChecks(client, tenantId, query, wanted),
      );
      const data = page.rows.map((row) => checkResource(row, publicUrl(), wanted));
      return listAnswer({ data, page, query, request, publicUrl: publicUrl() });
    },
  };

  const get: Endpoint = {
    method: 'GET',
    path: '/checks/{id}',
    operationId: 'getCheck',
    tag: 'Checks',
    summary: 'Get a check',
    description: 'Its id is the provider type and the check id with a dot between them, percent-encoded.',
    access: {},
    query: { fields },
    answers: { 200: { description: 'The check', schema: documentOf(checks) } },
    handle: async ({ access: { tenantId }, params: { id = '' }, query }) => {
      const wanted = query.fields.get(CHECKS);
      const [row] = await readAsTenant(pool, tenantId, (client) =>
        findChecksByIds(client, tenantId, [id], wanted),
      );
      if (row === undefined) throw notFound('There is no check with this id');
      return { status: 200, document: { data: checkResource(row, publicUrl(), wanted) } };
    },
  };
  return [list, get];
}
