import { type Api, readDocument } from '../../../lib/api/api.ts';
import { RequestError } from '../../../lib/api/api-error.ts';
import { delay } from '../../../lib/delay.ts';
import { ExportFile } from './export-file.ts';
import type { ExportFormatName } from './export-formats.ts';
import type { Sort } from './url-state.ts';
import { withFilters } from './with-filters.ts';

/** The delay before a retry if the service does not request a delay, in milliseconds. */
const DEFAULT_RETRY_MS = 2000;
/** The number of interrupted responses in a row without a further finding after which the export fails. */
const MAX_INTERRUPTIONS = 5;

/** An export: its filters, order and format. */
export interface ExportRequest {
  readonly format: ExportFormatName;
  /** From `filterQuery`. */
  readonly filters: string;
  readonly sort: Sort;
}

export interface ExportProgress {
  readonly bytes: number;
  /** `undefined` if the format does not have one line per finding. */
  readonly findings: number | undefined;
}

export interface ExportOptions extends ExportRequest {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
  /** Called with the reason when a request is retried, and with `undefined` after the next response. */
  readonly onWaiting: (reason: string | undefined) => void;
}

/** The connection was closed before the end of the export. */
class ExportInterrupted extends RequestError {
  override readonly name = 'ExportInterrupted';
  readonly isTransient = true;

  constructor(cause?: unknown) {
    super('The connection to Sluice was interrupted.', { cause });
  }
}

/**
 * Downloads all findings that match the filters, in the sort order. Resumes an interrupted response after its last
 * complete finding, or starts again if the format does not contain the IDs of findings. Throws a `RequestError`, or the
 * abort reason of the signal.
 */
export async function exportFindings(api: Api, options: ExportOptions): Promise<Blob> {
  const { format, signal, onWaiting } = options;
  const file = new ExportFile(format);
  for (let interruptions = 0; ; ) {
    const { lastId } = file;
    try {
      await download(api, options, file);
      return file.toBlob();
    } catch (error) {
      if (signal.aborted || !(error instanceof RequestError) || !error.isTransient) throw error;
      file.rewind();
      if (file.lastId !== lastId) interruptions = 0;
      if (error instanceof ExportInterrupted) interruptions += 1;
      if (interruptions >= MAX_INTERRUPTIONS) throw error;
      onWaiting(error.message);
      await delay(error.retryAfterMs ?? DEFAULT_RETRY_MS, signal);
      signal.throwIfAborted();
    }
  }
}

/** Appends one response to the file. */
async function download(api: Api, options: ExportOptions, file: ExportFile): Promise<void> {
  const { format, filters, sort, signal, onProgress, onWaiting } = options;
  const { lastId } = file;
  const report = () => onProgress({ bytes: file.bytes, findings: file.findings });
  report();
  const body = await readDocument(
    api.GET('/api/v1/findings/export', {
      params: { query: { format, sort: [sort], ...(lastId !== undefined && { 'page[after]': lastId }) } },
      signal,
      parseAs: 'stream',
      ...withFilters(filters),
    }),
  );
  onWaiting(undefined);
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal.aborted ? error : new ExportInterrupted(error);
    });
    if (done) break;
    file.write(value);
    report();
  }
  if (file.hasIncompleteLine) throw new ExportInterrupted();
}
