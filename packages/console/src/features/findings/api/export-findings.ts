import { type Api, readDocument } from '../../../lib/api/api.ts';
import { ApiError, RequestError } from '../../../lib/api/api-error.ts';
import { delay } from '../../../lib/delay.ts';
import { ExportFile } from './export-file.ts';
import type { ExportFormatName } from './export-formats.ts';
import type { Sort } from './url-state.ts';
import { withFilters } from './with-filters.ts';

/** The delay before a retry if the service does not request a delay, in milliseconds. */
const DEFAULT_RETRY_MS = 2000;
/** The number of interrupted responses in a row without a further finding after which the export fails. */
const MAX_INTERRUPTIONS = 5;
/** The number of times that an export starts again because its last finding has moved or no longer exists. */
const MAX_RESTARTS = 5;

/** The columns by which the console can sort findings, as far as their values can change. */
const SORTED_COLUMNS = ['severity', 'status', 'last_seen_at', 'first_seen_at'];

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
 * complete finding. Starts again if the format does not contain the IDs of findings, or if that finding has moved or no
 * longer exists. Throws a `RequestError`, or the abort reason of the signal.
 */
export async function exportFindings(api: Api, options: ExportOptions): Promise<Blob> {
  const { format, signal, onWaiting } = options;
  const file = new ExportFile(format);
  let restarts = 0;
  for (let interruptions = 0; ; ) {
    const { findings } = file;
    try {
      await download(api, options, file);
      return file.toBlob();
    } catch (error) {
      if (restarts < MAX_RESTARTS && findings && isPositionLost(error)) {
        restarts += 1;
        file.clear();
        continue;
      }
      if (signal.aborted || !(error instanceof RequestError) || !error.isTransient) throw error;
      file.rewind();
      if (file.findings !== findings) interruptions = 0;
      if (error instanceof ExportInterrupted) interruptions += 1;
      if (interruptions >= MAX_INTERRUPTIONS) throw error;
      onWaiting(error.message);
      await delay(error.retryAfterMs ?? DEFAULT_RETRY_MS, signal);
      signal.throwIfAborted();
    }
  }
}

/** Whether the service cannot continue after the last finding, because it has moved or no longer exists. */
function isPositionLost(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}

/** The parameters that continue after the last finding if it has not moved. */
function resumeQuery(file: ExportFile) {
  const last = file.readLastFinding();
  if (last === undefined) return {};
  const values = Object.fromEntries(SORTED_COLUMNS.map((name) => [name, last.get(name)]));
  return { 'page[after]': String(last.get('id')), 'page[after_values]': JSON.stringify(values) };
}

/** Appends one response to the file. */
async function download(api: Api, options: ExportOptions, file: ExportFile): Promise<void> {
  const { format, filters, sort, signal, onProgress, onWaiting } = options;
  const report = () => onProgress({ bytes: file.bytes, findings: file.findings });
  report();
  const body = await readDocument(
    api.GET('/api/v1/findings/export', {
      params: { query: { format, sort: [sort], ...resumeQuery(file) } },
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
