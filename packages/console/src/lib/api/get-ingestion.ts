import { type Api, readDocument } from './api.ts';
import type { Ingestion } from './types.ts';

/** A job, and in how many milliseconds it makes sense to ask for it again; `undefined`: it has ended. */
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
  const asked = Number.isFinite(seconds) ? seconds * 1000 : POLL_MS;
  return { ingestion: data, pollMs: isRunning(data) ? asked : undefined };
}

/** Whether the job has not ended. */
export function isRunning({ attributes: { status } }: Ingestion): boolean {
  return status === 'pending' || status === 'processing';
}
