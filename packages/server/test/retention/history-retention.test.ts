import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { databaseOf, operatorOf } from '../support/administration.ts';
import { ageJob } from '../support/aged-data.ts';
import { type Client, createClient, type Resource } from '../support/client.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { type Environment, type Service, settings } from '../support/service.ts';

/** Start of 2024. */
const EPOCH = 1_704_067_200;
const DAY = 86_400;
const iso = (day: number) => new Date((EPOCH + day * DAY) * 1000).toISOString().replace('Z', '000Z');

describe('garbage collection of changes and coverages', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1', SLUICE_GC_INTERVAL_MINUTES: '0' });
    client = createClient(service.url, service.key);
  });
  after(() => sandbox.clear());

  const ingest = (coverage: string, account: string, day: number, findings: Record<string, string>) =>
    client.ingest(
      Object.entries(findings).map(([uid, status]) =>
        record({
          time: EPOCH + day * DAY,
          status_code: status,
          metadata: { event_code: `check-${uid[0]}`, product: { name: 'Scanner' } },
          finding_info: { uid },
          cloud: { provider: 'aws', account: { uid: account } },
        }),
      ),
      { parts: { coverage } },
    );
  const findings = async (account: string) =>
    (
      await client.get<Resource[]>(
        `/findings?filter[account]=${account}&filter[state]=open,resolved&sort=last_seen_at`,
      )
    ).body.data;
  const history = async ({ id }: Pick<Resource, 'id'>) =>
    (await client.get<Resource[]>(`/findings/${id}/history`)).body.data;
  const ageCoverages = () =>
    service.sql(`update coverages set published_at = published_at - interval '401 days'`);
  /** Collects garbage with these settings. */
  const gc = async (environment: Environment = {}) => {
    const env = settings(service.dataDir, environment);
    const { sluiceJson } = operatorOf(env, async () => databaseOf(service.databaseUrl));
    return await sluiceJson<{ readonly finding_events: { readonly count: number } }>('gc');
  };

  it('removes old changes; the history then begins with the state before the oldest change that is left', async () => {
    for (const [day, status] of ['FAIL', 'PASS', 'FAIL'].entries())
      await ingest('partial', 'changed', day, { a: status });
    const [finding] = await findings('changed');
    assert.ok(finding);
    const changes = async () =>
      (await history(finding)).map(({ attributes }) => [attributes.change, attributes.status]);
    assert.deepEqual(await changes(), [
      ['regressed', 'FAIL'],
      ['fixed', 'PASS'],
      ['new', 'FAIL'],
    ]);
    await service.sql(
      `update finding_events set learned_at = learned_at - interval '401 days' where occurred_at = $1`,
      [iso(1)],
    );
    assert.equal((await gc()).finding_events.count, 1);
    assert.deepEqual(await changes(), [
      ['regressed', 'FAIL'],
      ['new', 'PASS'],
    ]);
  });

  it('keeps changes for as many days as the setting requires', async () => {
    for (const [day, status] of ['FAIL', 'PASS', 'FAIL', 'PASS'].entries())
      await ingest('partial', 'kept', day, { a: status });
    const [finding] = await findings('kept');
    assert.ok(finding);
    for (const [day, age] of [
      [1, 31],
      [2, 29],
    ])
      await service.sql(
        `update finding_events set learned_at = now() - $1 * interval '1 day' where finding_id = $2 and occurred_at = $3`,
        [age, finding.id, iso(day ?? 0)],
      );
    const times = async () => (await history(finding)).map(({ attributes }) => attributes.occurred_at);
    assert.equal((await gc()).finding_events.count, 0);
    assert.deepEqual(await times(), [iso(3), iso(2), iso(1), iso(0)]);
    assert.equal((await gc({ SLUICE_HISTORY_RETENTION_DAYS: '30' })).finding_events.count, 1);
    assert.deepEqual(await times(), [iso(3), iso(2), iso(0)]);
    assert.equal((await gc({ SLUICE_HISTORY_RETENTION_DAYS: '28' })).finding_events.count, 1);
    assert.deepEqual(await times(), [iso(3), iso(0)]);
  });

  it('removes old coverages only if a later one is complete for all of their checks', async () => {
    const account = 'covered';
    const times = async () =>
      (
        await service.sql<{ time: Date }>(
          `select newest_time as time from coverages
           where provider_id = (select id from providers where account = $1) order by 1`,
          [account],
        )
      ).map(({ time }) => (time.getTime() / 1000 - EPOCH) / DAY);
    const lateFinding = async (uid: string) => {
      await ingest('partial', account, 1, { [uid]: 'FAIL' });
      return (await findings(account)).find(({ attributes }) => attributes.uid === uid)?.attributes
        .resolved_at;
    };
    await ingest('checks', account, 10, { a: 'FAIL', b: 'FAIL' });
    await ingest('checks', account, 20, { a: 'FAIL' });
    await ageCoverages();
    await gc();
    assert.deepEqual(await times(), [10, 20]);
    assert.equal(await lateFinding('a-late'), iso(10));
    await ingest('checks', account, 30, { a: 'FAIL', b: 'FAIL', c: 'FAIL' });
    await ageCoverages();
    await gc();
    assert.deepEqual(await times(), [30]);
    assert.deepEqual([await lateFinding('a-later'), await lateFinding('b-later')], [iso(30), iso(30)]);
    await ingest('account', account, 40, { a: 'FAIL' });
    await ageCoverages();
    await gc();
    assert.deepEqual(await times(), [40]);
    // A coverage of single checks does not replace one of all checks.
    await ingest('checks', account, 50, { a: 'FAIL' });
    await ageCoverages();
    await gc();
    assert.deepEqual(await times(), [40, 50]);
    assert.deepEqual([await lateFinding('a-last'), await lateFinding('d-last')], [iso(40), iso(40)]);
  });

  it('keeps coverages that are not older than the changes that are kept, whatever the times of their records', async () => {
    for (const day of [10, 20]) await ingest('account', 'young', day, { a: 'FAIL' });
    await gc();
    await ingest('partial', 'young', 1, { late: 'FAIL' });
    assert.equal((await findings('young'))[0]?.attributes.resolved_at, iso(10));
  });

  it('lets findings and their histories refer to no upload that was removed', async () => {
    await ingest('partial', 'unknown', 1, { gone: 'FAIL', kept: 'FAIL' });
    const { id } = await ingest('account', 'unknown', 2, { kept: 'FAIL' });
    await ingest('partial', 'unknown', 3, { kept: 'FAIL' });
    const [gone] = await findings('unknown');
    assert.ok(gone);
    const related = async () => {
      const [finding] = await findings('unknown');
      const [resolved] = await history(gone);
      return [
        finding?.relationships?.resolved_by?.data?.id,
        resolved?.relationships?.ingestion?.data?.id,
        resolved?.relationships?.scan?.data === null,
      ];
    };
    assert.deepEqual(await related(), [id, id, false]);
    await ageJob(service, id, 366);
    await gc();
    assert.equal((await client.get(`/ingestions/${id}`)).status, 404);
    assert.deepEqual(await related(), [undefined, undefined, true]);
    assert.equal((await findings('unknown'))[0]?.attributes.resolved_at, iso(2));
  });

  it('does not resolve findings between two of their records by an upload that was removed', async () => {
    const account = 'removed';
    const { id } = await ingest('account', account, 2, { kept: 'FAIL' });
    await ingest('partial', account, 3, { kept: 'FAIL', before: 'FAIL', after: 'FAIL' });
    const lateChanges = async (uid: string) => {
      await ingest('partial', account, 1, { [uid]: 'FAIL' });
      const finding = (await findings(account)).find(({ attributes }) => attributes.uid === uid);
      assert.ok(finding);
      return (await history(finding)).map(({ attributes }) => attributes.change);
    };
    assert.deepEqual(await lateChanges('before'), ['reopened', 'resolved', 'new']);
    await ageJob(service, id, 366);
    await gc();
    assert.equal((await client.get(`/ingestions/${id}`)).status, 404);
    // Its file might have contained the finding.
    assert.deepEqual(await lateChanges('after'), ['new']);
  });
});
