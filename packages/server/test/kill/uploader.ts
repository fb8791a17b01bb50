import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import type { Faults } from './faults.ts';
import type { KilledService } from './killed-service.ts';
import type { PlannedUpload } from './planned-upload.ts';
import { ofBrokenConnection, postUpload, type UploadResponse } from './post-upload.ts';

const PAUSE_MS = 150;
/** Jobs for smaller files take so little time that the client does not wait for them. */
const MIN_RECORDS_TO_WAIT = 500;
/** With an Idempotency-Key, a client retries after this status or without a response. */
const UNAVAILABLE = 503;

/** The client's view of a completed upload. */
export interface SentUpload {
  readonly number: number;
  readonly outcome:
    | { readonly type: 'accepted'; readonly id: string }
    | { readonly type: 'rejected'; readonly status: number }
    | { readonly type: 'unknown' };
  readonly requests: number;
  /** Whether the 202 reported that an earlier request without a response created the job. */
  readonly replayed: boolean;
}

export interface Uploader {
  readonly service: KilledService;
  readonly key: string;
  readonly faults: Faults;
  /** Called with the URL of the API when an upload starts and when it ends. */
  readonly onProgress: (url: string, change: 1 | -1) => void;
  readonly next: () => { readonly number: number; readonly plan: PlannedUpload };
  /** No more uploads are started after this signal is aborted. */
  readonly signal: AbortSignal;
  /** Resolves when the client gives up on unfinished uploads. */
  readonly givenUp: Promise<typeof GIVEN_UP>;
}

/** The result of a wait that has timed out. A broken service then fails the test instead of blocking it. */
export const GIVEN_UP = 'given up';

/**
 * Uploads files one after the other, as a pipeline does, and waits for the job of the previous large file, so that
 * there is always work but the backlog does not grow.
 */
export async function uploadUntilAborted(uploader: Uploader): Promise<SentUpload[]> {
  const sent: SentUpload[] = [];
  let job: string | undefined;
  while (!uploader.signal.aborted) {
    const { number, plan } = uploader.next();
    const upload = await uploadOnce(uploader, number, plan);
    sent.push(upload);
    if (plan.records.length < MIN_RECORDS_TO_WAIT) {
      await sleep(PAUSE_MS);
      continue;
    }
    if (job !== undefined) await Promise.race([waitForJob(uploader, job), uploader.givenUp]);
    job = upload.outcome.type === 'accepted' ? upload.outcome.id : undefined;
  }
  return sent;
}

/**
 * With an Idempotency-Key, retries until the service returns 202 or the run ends. Without one, sends the upload once.
 */
async function uploadOnce(uploader: Uploader, number: number, plan: PlannedUpload): Promise<SentUpload> {
  const { faults } = uploader;
  for (let requests = 1; ; requests++) {
    const response = await Promise.race([request(uploader, plan), uploader.givenUp]);
    if (response === GIVEN_UP) {
      faults.add(`${plan.fileName} received no final response after ${requests} requests`);
      return { number, outcome: { type: 'unknown' }, requests, replayed: false };
    }
    if (response?.id !== undefined) {
      if (response.replayed && requests === 1)
        faults.add(`${plan.fileName} was treated as a repeated request`);
      return {
        number,
        outcome: { type: 'accepted', id: response.id },
        requests,
        replayed: response.replayed,
      };
    }
    if (response !== undefined && response.status !== UNAVAILABLE)
      faults.add(`${plan.fileName} got the response ${response.status} (${response.code})`);
    if (plan.idempotencyKey === undefined)
      return { number, outcome: outcomeOf(response), requests, replayed: false };
    await sleep(PAUSE_MS);
  }
}

async function request({ service, key, onProgress }: Uploader, plan: PlannedUpload): Promise<UploadResponse> {
  const url = await service.nextApi();
  onProgress(url, 1);
  return await postUpload(url, key, plan).finally(() => onProgress(url, -1));
}

function outcomeOf(response: UploadResponse): SentUpload['outcome'] {
  return response === undefined ? { type: 'unknown' } : { type: 'rejected', status: response.status };
}

/** Polls the job until it has ended. The job must always exist, and its processed count must never decrease. */
async function waitForJob({ service, key, faults, signal }: Uploader, id: string): Promise<void> {
  for (let processed = 0; !signal.aborted; await sleep(PAUSE_MS)) {
    const response = await createClient(await service.nextApi(), key)
      .get(`/ingestions/${id}`)
      .catch(ofBrokenConnection);
    if (response === undefined || response.status === UNAVAILABLE) continue;
    if (response.status !== 200) {
      faults.add(`polling the job ${id} returned ${response.status} ${JSON.stringify(response.body.errors)}`);
      return;
    }
    const { summary, completed_at } = response.body.data.attributes;
    if (summary.processed < processed)
      faults.add(`the processed count of the job ${id} dropped from ${processed} to ${summary.processed}`);
    processed = summary.processed;
    if (completed_at !== null) return;
  }
}
