import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { type ListPage, listPage } from '../../../lib/api/list-page.ts';
import type { IngestionProblem } from '../../../lib/api/types.ts';

/** Errors reject records or the file. Warnings do not. */
export type ProblemType = 'errors' | 'warnings';

export const PROBLEM_NOUNS: Readonly<Record<ProblemType, readonly [singular: string, plural: string]>> = {
  errors: ['error', 'errors'],
  warnings: ['warning', 'warnings'],
};

/** The code of warnings that each concern all records without an attribute. The service stores all of these warnings. */
export const MISSING_ATTRIBUTE = 'missing_required_attribute';

export const PROBLEM_SORTS = ['record_index', 'byte_offset', 'code'] as const;
type Sort = (typeof PROBLEM_SORTS)[number];

export interface ProblemList {
  readonly ingestionId: string;
  readonly type: ProblemType;
  readonly codes: readonly string[];
  readonly sort: Sort | `-${Sort}`;
  readonly page: number;
  readonly pageSize: number;
}

export interface ProblemPage extends ListPage<IngestionProblem> {
  /** The number of problems by code, including problems that were not stored. Ignores the filter. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Returns a page of a job's errors or warnings. */
export async function listProblems(api: Api, list: ProblemList, signal: AbortSignal): Promise<ProblemPage> {
  const { ingestionId: id, type, codes, sort, page, pageSize } = list;
  const query = {
    ...(codes.length > 0 && { 'filter[code__in]': [...codes] }),
    sort: [sort],
    'page[number]': page,
    'page[size]': pageSize,
  };
  const request = { params: { path: { id }, query }, signal };
  const { data, meta } = await (type === 'errors'
    ? readDocument(api.GET('/api/v1/ingestions/{id}/errors', request))
    : readDocument(api.GET('/api/v1/ingestions/{id}/warnings', request)));
  return { ...listPage<IngestionProblem>(data, meta.pagination), counts: meta.counts };
}

const POLL_MS = 2000;

/** `running` indicates whether more problems can occur. */
export const problemsQuery = (api: Api, list: ProblemList, running: boolean) =>
  queryOptions({
    // The key includes `running`, so that the list is fetched again when the job ends.
    queryKey: ['ingestions', list.ingestionId, list.type, list, running] as const,
    queryFn: ({ signal }) => listProblems(api, list, signal),
    placeholderData: (page, query) => (query?.queryKey[2] === list.type ? page : undefined),
    refetchInterval: running ? POLL_MS : false,
  });
