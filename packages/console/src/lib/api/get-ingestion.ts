import { type Api, readDocument } from './api.ts';
import type { Ingestion } from './types.ts';

/** A job and the delay before the next poll in milliseconds. The delay is `undefined` if the job has ended. */
export interface PolledIngestion {
  readonly ingestion: Ingestion;
  readonly pollMs: number | undefined;
}

const POLL_MS = 1000;

/** Throws a `RequestError`. */
export async function getIngestion(api: Api, id: string, signal: AbortSignal): Promise<PolledIngestion> {
  const request = api.GET('/api/v1/ingestions/{id}', { params: { path: { id } }, signal });
  const { data } = await readDocument(request);
  const { response } = await request;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : POLL_MS;
  return { ingestion: data, pollMs: isRunning(data) ? retryAfterMs : undefined };
}

/** Whether the job is pending or processing. */
export function isRunning({ attributes: { status } }: Ingestion): boolean {
  return status === 'pending' || status === 'processing';
}
