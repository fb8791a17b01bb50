import { type Api, readDocument } from '../../../lib/api/api.ts';
import { RequestError } from '../../../lib/api/api-error.ts';
import { largestPage } from '../../../lib/api/limits.ts';
import type { Finding } from '../../../lib/api/types.ts';
import { delay } from '../../../lib/delay.ts';
import { withFilters } from './with-filters.ts';

/** Where the service does not say how long. */
const WAIT_MS = 2000;

export interface ExportOptions {
  /** As `filterQuery` writes them. */
  readonly filters: string;
  readonly signal: AbortSignal;
  /** Called when the service asks for patience or is away, and again when it answers. */
  readonly onWaiting: (reason: string | undefined) => void;
}

/**
 * All findings under the filters, a page at a time. They come in the order of their ids, which never change: so each is
 * met once, whatever comes in meanwhile. Throws a `RequestError` where the service refuses, and the signal's reason.
 */
export async function* exportFindings(api: Api, options: ExportOptions): AsyncGenerator<readonly Finding[]> {
  const size = await withRetries(() => largestPage(api, options.signal), options);
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
      // An empty cursor asks for the start; openapi-fetch sends it as it is.
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
      await delay(error.retryAfterMs ?? WAIT_MS, signal);
      signal.throwIfAborted();
    }
  }
}
