import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { ageJob } from '../support/aged-data.ts';
import { createClient } from '../support/client.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';

const sandbox = createSandbox();
after(() => sandbox.clear());

/** What decides whether a commit survives a power cut; each has to be `on`. */
const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'];
/** What a 202 promises, what a worker takes off the queue, and what lets a blob be deleted. */
const CHANGES = [
  ['insert', 'ingestions'],
  ['insert', 'frames'],
  ['insert', 'frame_queue'],
  ['insert', 'idempotency_keys'],
  ['insert', 'findings'],
  ['delete', 'frame_queue'],
  ['update of blob_removed_at', 'ingestions'],
  ['delete', 'ingestions'],
] as const;

/** A deferred trigger runs in the commit of the service's own session: no later statement can change a setting. */
const NOTE_SETTINGS = `
  create table public.noted (change text, settings jsonb);
  create function public.note() returns trigger language plpgsql security definer as $$
  begin
    insert into public.noted select tg_argv[0], jsonb_object_agg(name, current_setting(name))
    from unnest(array['${SETTINGS.join("','")}']) as name;
    return null;
  end $$;
  ${CHANGES.map(
    ([event, table], at) => `create constraint trigger note_${at} after ${event} on ${table}
      deferrable initially deferred for each row execute function public.note('${event} ${table}');`,
  ).join('\n')}`;

it('the embedded PostgreSQL commits what is acknowledged to the disk, and what lets a blob be deleted', async () => {
  const service = await sandbox.startEmbeddedService({
    SLUICE_WORKERS: '1',
    SLUICE_GC_INTERVAL_MINUTES: '0',
  });
  await service.sql(NOTE_SETTINGS);
  const client = createClient(service.url, service.key);
  // The first one may leave settings of its session to the others.
  for (const days of [0, 40, 400]) {
    const options = days === 40 ? { headers: { 'idempotency-key': randomUUID() } } : {};
    const job = await client.ingest([record({ finding_info: { uid: `finding-${days}` } })], options);
    assert.equal(job.attributes.status, 'completed');
    await ageJob(service, job.id, days);
  }
  await service.sql('delete from findings');
  await service.sluiceJson('gc');

  const noted = await service.sql('select distinct change, settings from public.noted');
  assert.deepEqual(
    noted.map(({ change }) => change).sort(),
    CHANGES.map((change) => change.join(' ')).sort(),
  );
  const on = Object.fromEntries(SETTINGS.map((name) => [name, 'on']));
  for (const { change, settings } of noted) assert.deepEqual(settings, on, String(change));
});
