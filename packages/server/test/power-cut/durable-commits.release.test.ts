import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { ageJob } from '../support/aged-data.ts';
import { createClient } from '../support/client.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';

const sandbox = createSandbox();
after(() => sandbox.clear());

/** Settings that must be `on` for a commit to survive a power cut. */
const SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'];
/** Changes that must be durable: before a 202, when a worker completes a frame, and before a blob is deleted. */
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

/** Deferred triggers run during the commit in the service's session, so no later statement can change a setting. */
const RECORD_SETTINGS = `
  create table public.recorded (change text, settings jsonb);
  create function public.record_settings() returns trigger language plpgsql security definer as $$
  begin
    insert into public.recorded select tg_argv[0], jsonb_object_agg(name, current_setting(name))
    from unnest(array['${SETTINGS.join("','")}']) as name;
    return null;
  end $$;
  ${CHANGES.map(
    ([event, table], at) => `create constraint trigger record_${at} after ${event} on ${table}
      deferrable initially deferred for each row execute function public.record_settings('${event} ${table}');`,
  ).join('\n')}`;

it('the embedded PostgreSQL flushes changes to disk before they are acknowledged or allow a blob to be deleted', async () => {
  const service = await sandbox.startEmbeddedService({
    SLUICE_WORKERS: '1',
    SLUICE_GC_INTERVAL_MINUTES: '0',
  });
  await service.sql(RECORD_SETTINGS);
  const client = createClient(service.url, service.key);
  // Uses several uploads, because the first upload could change session settings that affect the other uploads.
  for (const days of [0, 40, 400]) {
    const options = days === 40 ? { headers: { 'idempotency-key': randomUUID() } } : {};
    const job = await client.ingest([record({ finding_info: { uid: `finding-${days}` } })], options);
    assert.equal(job.attributes.status, 'completed');
    await ageJob(service, job.id, days);
  }
  await service.sql('delete from findings');
  await service.sluiceJson('gc');

  const recorded = await service.sql('select distinct change, settings from public.recorded');
  assert.deepEqual(
    recorded.map(({ change }) => change).sort(),
    CHANGES.map((change) => change.join(' ')).sort(),
  );
  const on = Object.fromEntries(SETTINGS.map((name) => [name, 'on']));
  for (const { change, settings } of recorded) assert.deepEqual(settings, on, String(change));
});
