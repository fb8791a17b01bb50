import type { Api } from '../../../lib/api/api.ts';
import { getMaxPageSize } from '../../../lib/api/limits.ts';
import { type CsvValue, toCsv } from '../../../lib/csv.ts';
import { type ErrorList, listErrors } from './list-errors.ts';

const COLUMNS = ['record_index', 'byte_offset', 'pointer', 'code', 'detail', 'finding_uid'] as const;

/**
 * Creates a CSV file of a job's stored errors that match the filter. Calls `onProgress` with the number of errors read.
 */
export async function exportErrors(
  api: Api,
  list: Omit<ErrorList, 'page' | 'pageSize'>,
  onProgress: (read: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const pageSize = await getMaxPageSize(api, signal);
  const parts = [toCsv([COLUMNS])];
  for (let page = 1, pages = 1, read = 0; page <= pages; page++) {
    const errors = await listErrors(api, { ...list, page, pageSize }, signal);
    pages = errors.pages;
    read += errors.items.length;
    parts.push(
      toCsv(errors.items.map(({ attributes }) => COLUMNS.map((name): CsvValue => attributes[name]))),
    );
    onProgress(read);
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}
