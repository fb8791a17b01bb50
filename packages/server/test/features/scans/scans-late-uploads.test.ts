import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { type Client, createClient } from '../../support/client.ts';
import { SESSIONS } from '../../support/database-activity.ts';
import { holdPending, processFrame, releaseFrame, waitForFrame } from '../../support/held-jobs.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { record } from '../../support/records.ts';
import { type Service, startService } from '../../support/service.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { until } from '../../support/until.ts';

/** With one more record, they fill a frame. They are not findings, so the service rejects them. */
const FILLERS = Array.from({ length: 4999 }, () => 0);
const TIME = 1_780_000_000;
const BLOCKED = `select from ${SESSIONS} where wait_event_type = 'Lock'`;

interface Scan {
  readonly attributes: Readonly<Record<'new' | 'reopened' | 'regressed' | 'fixed' | 'unchanged', number>>;
}

describe('scans that span several frames', () => {
  let service: Service;
  let client: Client;
  let session: pg.Client;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '2' });
    client = createClient(service.url, service.key);
    session = await service.connect();
    await holdPending(service);
  });
  after(async () => {
    await session.end();
    await service.remove();
  });

  const accept = async (records: readonly unknown[]) => (await client.upload(records)).body.data.id;
  const work = async (id: string, frame: number) => await processFrame(session, id, frame);
  const countsOf = async (id: string) => {
    const { body } = await client.get<Scan[]>(`/scans?filter[ingestion]=${id}`);
    return body.data.map(({ attributes }) => [attributes.new, attributes.regressed]);
  };
  const again = (time: number, status_code: string) =>
    record({ time, status_code, finding_info: { uid: 'again' } });

  itInWholeRun(
    'counts a finding as regressed instead of new if an older upload is processed between two frames of a scan',
    async () => {
      const earlier = await accept([again(TIME - 60, 'PASS')]);
      const scan = await accept([again(TIME, 'FAIL'), ...FILLERS, again(TIME + 60, 'FAIL')]);
      await work(scan, 0);
      assert.deepEqual(await countsOf(scan), [[1, 0]]);
      // The finding already existed before the scan.
      await work(earlier, 0);
      assert.deepEqual(await countsOf(scan), [[0, 1]]);
      await work(scan, 1);
      assert.deepEqual(await countsOf(scan), [[0, 1]]);
      await assertTrueCounts(service);
    },
  );

  it('counts a finding once, with the severity of its newest record, if newer uploads are processed between two frames of a scan', async () => {
    const again = (minutes: number, severity: string) =>
      record({
        time: TIME + minutes * 60,
        finding_info: { uid: 'severity' },
        severity,
        severity_id: severity === 'medium' ? 3 : 4,
      });
    const newOf = async (id: string) => {
      const { body } = await client.get<{ meta: { findings: Record<string, Record<string, number>> } }>(
        `/ingestions/${id}`,
      );
      const { medium, high } = body.data.meta.findings.new ?? {};
      return { medium, high };
    };
    const first = await accept([again(0, 'medium'), ...FILLERS, again(1, 'high')]);
    const second = await accept([again(5, 'high'), ...FILLERS, again(6, 'medium')]);
    const newer = [await accept([again(10, 'high')]), await accept([again(15, 'high')])];
    await work(first, 0);
    assert.deepEqual(await newOf(first), { medium: 1, high: 0 });
    await work(second, 0);
    for (const id of newer) await work(id, 0);
    await work(first, 1);
    assert.deepEqual(await newOf(first), { medium: 0, high: 1 });
    await work(second, 1);
    await assertTrueCounts(service);
  });

  itInWholeRun(
    'counts an unchanged finding once if newer uploads are processed between two frames of a scan',
    async () => {
      const once = (minutes: number) =>
        record({ time: TIME + minutes * 60, finding_info: { uid: 'unchanged' } });
      const ids = [await accept([once(0)]), await accept([once(5), ...FILLERS, once(6)])];
      const [, scan = ''] = ids;
      ids.push(await accept([once(10)]), await accept([once(15)]));
      for (const id of ids) await work(id, 0);
      await work(scan, 1);
      const { body } = await client.get<Scan[]>(`/scans?filter[ingestion]=${scan}`);
      assert.deepEqual(
        body.data.map(({ attributes }) => [attributes.new, attributes.unchanged]),
        [[0, 1]],
      );
      await assertTrueCounts(service);
    },
  );

  for (const [title, first, last] of [
    ['new', 0, null],
    ['regressed', 0, 'PASS'],
    ['unchanged', 0, 'FAIL'],
  ] as const)
    it(`counts a finding once that is ${title} in the first frame of a scan if another upload has its newest record before the second frame`, async () => {
      const uid = `interleaved-${title}`;
      const once = (minutes: number, status_code: string) =>
        record({ time: TIME + minutes * 60, status_code, finding_info: { uid } });
      if (last !== null) await work(await accept([once(first - 10, last)]), 0);
      const scan = await accept([once(first, 'FAIL'), ...FILLERS, once(20, 'PASS')]);
      const other = await accept([once(10, 'FAIL')]);
      await work(scan, 0);
      await work(other, 0);
      await work(scan, 1);
      await assertTrueCounts(service);
      const changes = async (id: string) => {
        const { body } = await client.get<Scan[]>(`/scans?filter[ingestion]=${id}`);
        const [attributes] = body.data.map((one) => one.attributes);
        return attributes && [attributes.new, attributes.regressed, attributes.fixed, attributes.unchanged];
      };
      assert.deepEqual(await changes(scan), [0, 0, 1, 0]);
      assert.deepEqual(
        await changes(other),
        title === 'new' ? [1, 0, 0, 0] : title === 'regressed' ? [0, 1, 0, 0] : [0, 0, 0, 1],
      );
    });

  const at = (minutes: number, status_code: string) => (uid: string) =>
    record({ time: TIME + minutes * 60, status_code, finding_info: { uid } });
  /** Accepts an upload with a late record of a finding in the first frame, and its newest record in the second one. */
  const acceptAround = async (uid: string, last: readonly unknown[] = []) =>
    await accept([at(-10, 'FAIL')(uid), ...FILLERS, at(10, 'PASS')(uid), ...last]);
  const assertFixed = async (id: string, fixed: number) => {
    const { body } = await client.get<Scan[]>(`/scans?filter[ingestion]=${id}`);
    assert.deepEqual(
      body.data.map(({ attributes }) => [attributes.new, attributes.fixed, attributes.unchanged]),
      [[0, fixed, 0]],
    );
    await assertTrueCounts(service);
  };

  it('counts a finding once if its record in the first frame is late and that in the second frame is its newest', async () => {
    await work(await accept([at(0, 'FAIL')('late')]), 0);
    const scan = await acceptAround('late');
    await work(scan, 0);
    await work(scan, 1);
    await assertFixed(scan, 1);
  });

  it('counts a finding once if its record is late in a frame that is processed during the merge of another one', async () => {
    const uids = ['parallel-1', 'parallel-2'];
    await work(await accept(uids.map(at(0, 'FAIL'))), 0);
    // The order in which findings are locked.
    const findings = await service.sql<{ uid: string }>(
      'select uid from findings where uid = any($1) order by id',
      [uids],
    );
    const [blocked = '', uid = ''] = findings.map((finding) => finding.uid);
    const scan = await acceptAround(uid, [at(10, 'PASS')(blocked)]);
    const other = await service.connect();
    try {
      await other.query('begin');
      await other.query('select from findings where uid = $1 for update', [blocked]);
      await releaseFrame(session, scan, 1);
      await until(async () => (await service.sql(BLOCKED)).length === 1);
      await work(scan, 0);
    } finally {
      await other.end();
    }
    await waitForFrame(session, scan, 1);
    await assertFixed(scan, 2);
  });

  const HIGH = { severity: 'high', severity_id: 4 };
  const LOW = { severity: 'low', severity_id: 2 };
  /** Accepts an upload that is complete for the check of a finding, but does not contain it. */
  const acceptWithout = async (uid: string, minutes: number) => {
    const other = record({
      time: TIME + minutes * 60,
      ...checkOf(uid),
      severity: 'medium',
      severity_id: 3,
      finding_info: { uid: `${uid}-${minutes}` },
    });
    return (await client.upload([other], { parts: { coverage: 'checks' } })).body.data.id;
  };
  /** The check of only this finding. */
  const checkOf = (uid: string) => ({ metadata: { event_code: uid, product: { name: 'Scanner' } } });
  const seen = (uid: string, minutes: number, severity: object, status_code = 'FAIL') =>
    record({ time: TIME + minutes * 60, status_code, ...checkOf(uid), ...severity, finding_info: { uid } });
  const resolvedBy = async (id: string) => {
    const { body } = await client.get<{ meta: { findings: Record<string, Record<string, number>> } }>(
      `/ingestions/${id}`,
    );
    const { low, high } = body.data.meta.findings.resolved ?? {};
    return { low, high };
  };

  it('counts a finding as reopened if it was resolved between two frames of a scan, before the second record', async () => {
    const uid = 'reopened';
    const first = await accept([seen(uid, 0, LOW)]);
    const scan = await accept([seen(uid, 5, HIGH), ...FILLERS, seen(uid, 10, HIGH)]);
    const coverage = await acceptWithout(uid, 10);
    const earlier = await accept([seen(uid, -10, LOW, 'PASS')]);
    await work(first, 0);
    await work(scan, 0);
    await work(coverage, 0);
    await work(coverage, 1);
    assert.deepEqual(await resolvedBy(coverage), { low: 0, high: 1 });
    await work(scan, 1);
    // The upload would have resolved the first record.
    assert.deepEqual(await resolvedBy(coverage), { low: 1, high: 0 });
    const { body } = await client.get<Scan[]>(`/scans?filter[ingestion]=${scan}`);
    assert.deepEqual(
      body.data.map(({ attributes }) => [attributes.reopened, attributes.unchanged]),
      [[1, 0]],
    );
    await work(earlier, 0);
    await assertTrueCounts(service);
  });

  it('keeps the state that a later upload resolved if an earlier upload resolved the first record of a scan', async () => {
    const uid = 'resolved-twice';
    const scan = await accept([seen(uid, 0, LOW), ...FILLERS, seen(uid, 20, HIGH)]);
    const coverages = [await acceptWithout(uid, 5), await acceptWithout(uid, 15)];
    const other = await accept([seen(uid, 10, LOW)]);
    await work(scan, 0);
    for (const id of [coverages[0] ?? '', other, coverages[1] ?? '']) {
      await work(id, 0);
      if (id !== other) await work(id, 1);
    }
    await work(scan, 1);
    assert.deepEqual(await resolvedBy(coverages[1] ?? ''), { low: 1, high: 0 });
    await assertTrueCounts(service);
  });

  it('counts a resolved finding with the severity of the last record before its resolution', async () => {
    const uid = 'severe';
    const first = await accept([seen(uid, 0, LOW)]);
    const coverage = await acceptWithout(uid, 15);
    const last = await accept([seen(uid, 10, HIGH)]);
    await work(first, 0);
    await work(coverage, 0);
    await work(coverage, 1);
    assert.deepEqual(await resolvedBy(coverage), { low: 1, high: 0 });
    await work(last, 0);
    assert.deepEqual(await resolvedBy(coverage), { low: 0, high: 1 });
    await assertTrueCounts(service);
  });
});
