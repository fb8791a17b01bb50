import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Check, Finding, Provider } from '../../../lib/api/types.ts';

/** A finding with its related resources. Deleted resources are `undefined`. */
export interface FindingDetails {
  readonly finding: Finding;
  readonly check: Check | undefined;
  readonly provider: Provider | undefined;
}

/** All attributes except the raw record, which can be large or expired (410). */
const FIELDS = [
  'uid',
  'check_id',
  'check_title',
  'severity',
  'state',
  'status',
  'status_detail',
  'muted',
  'delta',
  'resource',
  'region',
  'service',
  'provider_type',
  'account',
  'categories',
  'last_seen_at',
] as const;

export const findingQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['findings', 'one', id],
    queryFn: async ({ signal }): Promise<FindingDetails> => {
      const { data, included = [] } = await readDocument(
        api.GET('/api/v1/findings/{id}', {
          params: {
            path: { id },
            query: {
              include: ['check', 'provider'],
              'fields[findings]': [...FIELDS],
              'fields[providers]': ['name', 'alias', 'account', 'type'],
            },
          },
          signal,
        }),
      );
      return {
        finding: data,
        check: included.find((each) => each.type === 'checks'),
        provider: included.find((each) => each.type === 'providers'),
      };
    },
  });
