import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import type { Faults } from './faults.ts';
import type { KilledService } from './killed-service.ts';
import type { PlannedUpload } from './planned-upload.ts';
import { ofBrokenConnection, postUpload, type UploadAnswer } from './post-upload.ts';

const PAUSE_MS = 150;
/** Smaller files make so little work that their jobs need not be waited for. */
const FOLLOWED_RECORDS = 500;
/** A client repeats what was answered with this, or with nothing, where it has an Idempotency-Key. */
const UNAVAILABLE = 503;

/** What the client knows of an upload when it is done with it. */
export interface SentUpload {
  readonly number: number;
  readonly outcome:
    | { readonly kind: 'accepted'; readonly id: string }
    | { readonly kind: 'refused'; readonly status: number }
    | { readonly kind: 'unknown' };
  readonly requests: number;
  /** The 202 said that an earlier request, which got no answer, has made the job. */
  readonly replayed: boolean;
}

export interface Uploader {
  readonly service: KilledService;
  readonly key: string;
  readonly faults: Faults;
  /** Told by URL when an upload begins there, and when it is over. */
  readonly underWay: (url: string, change: 1 | -1) => void;
  readonly next: () => { readonly number: number; readonly plan: PlannedUpload };
  /** No further upload is begun then. */
  readonly signal: AbortSignal;
  /** Resolves when what has no end by then is not waited for any more. */
  readonly givenUp: Promise<typeof GIVEN_UP>;
}

/** A service that is broken must fail the test, not keep it from its end. */
export const GIVEN_UP = 'given up';

/**
 * Uploads one file after another, as a pipeline does, and looks at the job of the large one before until it has ended, so
 * that the work never runs out and never piles up.
 */
export async function uploadAgainAndAgain(uploader: Uploader): Promise<SentUpload[]> {
  const sent: SentUpload[] = [];
  let job: string | undefined;
  while (!uploader.signal.aborted) {
    const { number, plan } = uploader.next();
    const upload = await uploadOnce(uploader, number, plan);
    sent.push(upload);
    if (plan.records.length < FOLLOWED_RECORDS) {
      await sleep(PAUSE_MS);
      continue;
    }
    if (job !== undefined) await Promise.race([follow(uploader, job), uploader.givenUp]);
    job = upload.outcome.kind === 'accepted' ? upload.outcome.id : undefined;
  }
  return sent;
}

/** With an Idempotency-Key until there is a 202 or all is given up, without one a single time. */
async function uploadOnce(uploader: Uploader, number: number, plan: PlannedUpload): Promise<SentUpload> {
  const { faults } = uploader;
  for (let requests = 1; ; requests++) {
    const answer = await Promise.race([request(uploader, plan), uploader.givenUp]);
    if (answer === GIVEN_UP) {
      faults.add(`${plan.fileName} has had no final answer after ${requests} requests, and was given up`);
      return { number, outcome: { kind: 'unknown' }, requests, replayed: false };
    }
    if (answer?.id !== undefined) {
      if (answer.replayed && requests === 1) faults.add(`${plan.fileName} was taken for a repetition`);
      return { number, outcome: { kind: 'accepted', id: answer.id }, requests, replayed: answer.replayed };
    }
    if (answer !== undefined && answer.status !== UNAVAILABLE)
      faults.add(`${plan.fileName} was answered with ${answer.status} (${answer.code})`);
    if (plan.idempotencyKey === undefined)
      return { number, outcome: outcomeOf(answer), requests, replayed: false };
    await sleep(PAUSE_MS);
  }
}

async function request({ service, key, underWay }: Uploader, plan: PlannedUpload): Promise<UploadAnswer> {
  const url = await service.nextApi();
  underWay(url, 1);
  return await postUpload(url, key, plan).finally(() => underWay(url, -1));
}

function outcomeOf(answer: UploadAnswer): SentUpload['outcome'] {
  return answer === undefined ? { kind: 'unknown' } : { kind: 'refused', status: answer.status };
}

/** Asks for the job until it has ended: it is always there, and never counts backwards. */
async function follow({ service, key, faults, signal }: Uploader, id: string): Promise<void> {
  for (let processed = 0; !signal.aborted; await sleep(PAUSE_MS)) {
    const answer = await createClient(await service.nextApi(), key)
      .get(`/ingestions/${id}`)
      .catch(ofBrokenConnection);
    if (answer === undefined || answer.status === UNAVAILABLE) continue;
    if (answer.status !== 200) {
      faults.add(`the job ${id} was answered with ${answer.status} ${JSON.stringify(answer.body.errors)}`);
      return;
    }
    const { summary, completed_at } = answer.body.data.attributes;
    if (summary.processed < processed)
      faults.add(`the job ${id} had ${processed} records processed, and then ${summary.processed}`);
    processed = summary.processed;
    if (completed_at !== null) return;
  }
}
