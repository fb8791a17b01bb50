import { setTimeout as sleep } from 'node:timers/promises';
import type { Ingestion } from '../../packages/server/test/support/client.ts';
import { filePart, MULTIPART_TYPE, multipart } from '../../packages/server/test/support/multipart.ts';
import { generateFindings } from '../../tools/findings-generator/src/index.ts';
import type { PlainResponse } from '../baselines/plain-handler.ts';
import type { KeepAliveClient } from './keep-alive-client.ts';

export const SMALL_RECORDS = 4;
const BODY = multipart([filePart(Buffer.concat([...generateFindings({ records: SMALL_RECORDS })]))]);
export const POLL_MS = 5;

export interface SmallUpload {
  readonly id: string;
  /** Times from the start of the POST request to its response, and to the response that reports the job as completed. */
  readonly acceptedMs: number;
  readonly completedMs: number;
  readonly accepted: PlainResponse;
  readonly completed: PlainResponse;
}

/** Uploads a small file and polls its job until it is completed. */
export async function uploadSmall(client: KeepAliveClient): Promise<SmallUpload> {
  const start = performance.now();
  const accepted = await postSmall(client);
  const acceptedMs = performance.now() - start;
  const { id } = jobOf(accepted, 202);
  for (;;) {
    await sleep(POLL_MS);
    const completed = await client.get(`/ingestions/${id}`);
    const { status, completed_at } = jobOf(completed, 200).attributes;
    const completedMs = performance.now() - start;
    if (status === 'completed') return { id, acceptedMs, completedMs, accepted, completed };
    if (completed_at !== null) throw new Error(`The job ended with ${completed.body}`);
  }
}

/** Uploads a small file without polling its job. */
export async function acceptSmall(client: KeepAliveClient): Promise<void> {
  jobOf(await postSmall(client), 202);
}

/** Polls the job status once and returns the duration in milliseconds. */
export async function pollStatus(client: KeepAliveClient, id: string): Promise<number> {
  const start = performance.now();
  const { status, body } = await client.get(`/ingestions/${id}`);
  const ms = performance.now() - start;
  if (status !== 200) throw new Error(`The status poll returned ${status}: ${body}`);
  return ms;
}

const postSmall = (client: KeepAliveClient) => client.post('/ingestions', MULTIPART_TYPE, BODY);

function jobOf({ status, body }: PlainResponse, expected: number): Ingestion {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}: ${body}`);
  const document: { data: Ingestion } = JSON.parse(body);
  return document.data;
}
