import { setTimeout as sleep } from 'node:timers/promises';
import { FRAMES_CHANNEL } from '../../packages/server/src/db/notifications.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import { createKeepAliveClient, type KeepAliveClient } from '../latency/keep-alive-client.ts';
import { acceptSmall, SMALL_RECORDS } from '../latency/small-upload.ts';
import { median } from '../median.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { withService } from '../service.ts';
import type { Result, Suite } from '../suite.ts';

const CLIENTS = 50;
/** The number of uploads is the smallest record count divided by this number. */
const RECORDS_PER_UPLOAD = 100;

/** Delays added to each commit, in milliseconds: none, and the latency of a network disk. */
const COMMIT_DELAYS_MS = [0, 5];

/** Compares concurrent small uploads with NOTIFY after the commit, as in Sluice, and with NOTIFY in the transaction. */
export const ACCEPT: Suite = {
  name: 'accept',
  run: async ({ rounds, records }) => {
    const uploads = Math.ceil(Math.min(...records) / RECORDS_PER_UPLOAD);
    return [await withService((service) => compare(service, uploads, rounds))];
  },
};

async function compare(service: Service, uploads: number, rounds: number): Promise<Result> {
  const clients = Array.from({ length: CLIENTS }, () => createKeepAliveClient(service.url, service.key));
  const rows = [];
  try {
    // Warm-up: code is slow until it is JIT-compiled.
    await acceptedPerSecond(clients, uploads);
    for (const ms of COMMIT_DELAYS_MS) {
      await delayCommits(service, ms);
      const after: number[] = [];
      const inside: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await waitForJobs(service);
        after.push(await acceptedPerSecond(clients, uploads));
        await waitForJobs(service);
        await service.ownerSql(NOTIFY_IN_TRANSACTION);
        inside.push(await acceptedPerSecond(clients, uploads));
        await service.ownerSql('drop function notify_worker cascade');
      }
      const gains = after.map((rate, round) => rate / (inside[round] ?? Number.NaN));
      rows.push({
        'commit delay': ms === 0 ? 'none' : `${ms} ms`,
        'accepted per second': roundToThreeDigits(median(after)),
        'with NOTIFY in the transaction': roundToThreeDigits(median(inside)),
        ratio: roundToThreeDigits(median(gains)),
      });
    }
  } finally {
    for (const client of clients) client.end();
  }
  return {
    title: `accept: ${uploads} uploads of ${SMALL_RECORDS} records by ${CLIENTS} clients; median of ${rounds} rounds`,
    rows,
  };
}

/** With this trigger, each upload holds the NOTIFY lock during its commit. */
const NOTIFY_IN_TRANSACTION = `
  create function notify_worker() returns trigger language plpgsql as
    $$ begin notify ${FRAMES_CHANNEL}; return null; end $$;
  create trigger notify_worker after insert on ingestions execute function notify_worker()`;

/** Sets PostgreSQL's delay before each WAL flush. */
async function delayCommits({ ownerSql }: Service, ms: number): Promise<void> {
  await ownerSql(`alter system set commit_delay = ${ms * 1000}`);
  await ownerSql('alter system set commit_siblings = 0');
  await ownerSql('select pg_reload_conf()');
}

async function acceptedPerSecond(clients: readonly KeepAliveClient[], uploads: number): Promise<number> {
  let remaining = uploads;
  const start = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (remaining-- > 0) await acceptSmall(client);
    }),
  );
  return (uploads / (performance.now() - start)) * 1000;
}

async function waitForJobs({ sql }: Service): Promise<void> {
  const unfinishedJob = 'select 1 from ingestions where completed_at is null limit 1';
  while ((await sql(unfinishedJob)).length > 0) await sleep(200);
}
