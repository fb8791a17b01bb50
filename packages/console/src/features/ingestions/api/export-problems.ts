import type { Api } from '../../../lib/api/api.ts';
import { getMaxPageSize } from '../../../lib/api/limits.ts';
import { type CsvValue, toCsv } from '../../../lib/csv.ts';
import { listProblems, type ProblemList } from './list-problems.ts';

const ERROR_COLUMNS = ['record_index', 'byte_offset', 'pointer', 'code', 'detail', 'finding_uid'] as const;
const COLUMNS = { errors: ERROR_COLUMNS, warnings: [...ERROR_COLUMNS, 'record_count'] } as const;

/**
 * Creates a CSV file of a job's stored errors or warnings that match the filter. Calls `onProgress` with the number of
 * errors or warnings read.
 */
export async function exportProblems(
  api: Api,
  list: Omit<ProblemList, 'page' | 'pageSize'>,
  onProgress: (read: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const columns = COLUMNS[list.type];
  const pageSize = await getMaxPageSize(api, signal);
  const parts = [toCsv([columns])];
  for (let page = 1, pages = 1, read = 0; page <= pages; page++) {
    const problems = await listProblems(api, { ...list, page, pageSize }, signal);
    pages = problems.pages;
    read += problems.items.length;
    parts.push(
      toCsv(problems.items.map(({ attributes }) => columns.map((name): CsvValue => attributes[name]))),
    );
    onProgress(read);
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}
