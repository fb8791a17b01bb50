import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../packages/server/test/support/service.ts';
import { startPlainHandler } from '../baselines/plain-handler.ts';
import { createKeepAliveClient } from './keep-alive-client.ts';
import { POLL_MS, pollStatus, type SmallUpload, uploadSmall } from './small-upload.ts';

const WARM_UP = 20;

/** Measurements under the same load, in milliseconds. */
export interface Sample {
  readonly uploads: SmallUpload[];
  readonly plainUploads: SmallUpload[];
  readonly polls: number[];
  readonly plainPolls: number[];
}

export const emptySample = (): Sample => ({ uploads: [], plainUploads: [], polls: [], plainPolls: [] });

/** Sends requests to the service and to the plain handler alternately, so that both run under the same machine load. */
export interface LatencyMeter {
  readonly upload: (into: Sample) => Promise<void>;
  readonly poll: (into: Sample) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The plain handler repeats the responses of the service to an upload and to a poll of the completed job. */
export async function startLatencyMeter({ url, key }: Pick<Service, 'url' | 'key'>): Promise<LatencyMeter> {
  const client = createKeepAliveClient(url, key);
  const { id, accepted, completed } = await uploadSmall(client);
  const handler = await startPlainHandler({ post: accepted, get: completed });
  const plain = createKeepAliveClient(handler.url, key);
  return {
    upload: async ({ uploads, plainUploads }) => {
      uploads.push(await uploadSmall(client));
      plainUploads.push(await uploadSmall(plain));
    },
    poll: async ({ polls, plainPolls }) => {
      polls.push(await pollStatus(client, id));
      plainPolls.push(await pollStatus(plain, id));
      await sleep(POLL_MS);
    },
    stop: async () => {
      client.end();
      plain.end();
      await handler.stop();
    },
  };
}

/** Sends requests to both servers until their code is JIT-compiled. */
export async function warmUp({ upload, poll }: LatencyMeter): Promise<void> {
  for (let time = 0; time < WARM_UP; time++) {
    await upload(emptySample());
    await poll(emptySample());
  }
}
