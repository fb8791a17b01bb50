import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Severity } from '../../../lib/api/types.ts';

/** A day of the trend in UTC. */
export interface TrendDay {
  readonly date: string;
  readonly failed: number;
  readonly failed_by_severity: Readonly<Partial<Record<Severity, number>>>;
  readonly providers: number;
}

/** The count of failing findings at the end of each of the last 90 days. */
export const trendQuery = (api: Api) =>
  queryOptions({
    queryKey: ['findings', 'trend'],
    queryFn: async ({ signal }): Promise<readonly TrendDay[]> => {
      const { data } = await readDocument(api.GET('/api/v1/findings/trend', { signal }));
      return data.attributes.days;
    },
  });
