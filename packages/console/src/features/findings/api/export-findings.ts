import { type Api, readDocument } from '../../../lib/api/api.ts';
import { RequestError } from '../../../lib/api/api-error.ts';
import { getMaxPageSize } from '../../../lib/api/limits.ts';
import type { Finding } from '../../../lib/api/types.ts';
import { delay } from '../../../lib/delay.ts';
import { withFilters } from './with-filters.ts';

/** The delay before a retry if the service does not request a delay, in milliseconds. */
const DEFAULT_RETRY_MS = 2000;

export interface ExportOptions {
  /** From `filterQuery`. */
  readonly filters: string;
  readonly signal: AbortSignal;
  /** Called with the reason when a request is retried, and with `undefined` after the next response. */
  readonly onWaiting: (reason: string | undefined) => void;
}

/**
 * Reads all findings that match the filters, one page at a time. Sorts them by ID, which never changes, so that each finding
 * appears exactly once even if an upload changes findings during the export. Throws a `RequestError`, or the abort reason of
 * the signal.
 */
export async function* exportFindings(api: Api, options: ExportOptions): AsyncGenerator<readonly Finding[]> {
  const size = await withRetries(() => getMaxPageSize(api, options.signal), options);
  for (let after: string | null = ''; after !== null; ) {
    const page = await withRetries(() => readPage(api, options, { size, after: after ?? '' }), options);
    yield page.findings;
    after = page.next;
  }
}

async function readPage(
  api: Api,
  { filters, signal }: ExportOptions,
  { size, after }: { readonly size: number; readonly after: string },
) {
  const { data, links } = await readDocument(
    api.GET('/api/v1/findings', {
      params: { query: { sort: ['id'], 'page[size]': size, 'page[after]': after } },
      signal,
      // An empty cursor selects the first page; openapi-fetch sends it unchanged.
      ...withFilters(filters),
    }),
  );
  return { findings: data, next: readCursor(links.next) };
}

function readCursor(next: string | null): string | null {
  return next === null ? null : new URL(next).searchParams.get('page[after]');
}

async function withRetries<Result>(
  request: () => Promise<Result>,
  { signal, onWaiting }: ExportOptions,
): Promise<Result> {
  for (;;) {
    try {
      const result = await request();
      onWaiting(undefined);
      return result;
    } catch (error) {
      if (signal.aborted || !(error instanceof RequestError) || !error.isTransient) throw error;
      onWaiting(error.message);
      await delay(error.retryAfterMs ?? DEFAULT_RETRY_MS, signal);
      signal.throwIfAborted();
    }
  }
}
