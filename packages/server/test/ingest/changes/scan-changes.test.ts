import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { CHANGES } from '../../../src/resources/finding-changes.ts';
import type { Client, Resource } from '../../support/client.ts';
import { type HeldService, joinHeldService, processJobs } from '../../support/held-jobs.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import type { SharedService } from '../../support/lanes.ts';
import { pickFrom, randomNumbers } from '../../support/random-numbers.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import {
  CHECKS,
  COVERAGES,
  EPOCH,
  expectedSteps,
  HOUR,
  type Observation,
  RESOURCES,
  recordOf,
  SEVERITIES,
  STATUSES,
  type Step,
  type Upload,
  uidOf,
} from './changes-oracle.ts';

const UPLOADS = isWholeRun ? 8 : 4;

/** Uploads with times in ascending order, except that some are repeated later. */
function randomUploads(random: (below: number) => number): readonly Upload[] {
  const pick = <Value>(values: readonly Value[]) => pickFrom(random, values);
  const uploads: Upload[] = [];
  while (uploads.length < UPLOADS) {
    const repeated = random(6) === 0 ? uploads[random(uploads.length)] : undefined;
    uploads.push(
      repeated ?? {
        coverage: pick(COVERAGES),
        records: Array.from({ length: 1 + random(8) }, () => ({
          check: pick(CHECKS),
          resource: pick(RESOURCES),
          time: uploads.length * 10 + random(3),
          status: pick(STATUSES),
          muted: random(5) === 0,
          severity: pick(SEVERITIES),
        })),
      },
    );
  }
  return uploads;
}

/** Three uploads that report a finding on three days with two results: all combinations. */
function allHistories(): readonly (readonly [Observation, Observation, Observation])[] {
  const observations = [1, 2, 3].flatMap((time) =>
    (['PASS', 'FAIL'] as const).map((status) => ({ time, status })),
  );
  const combinations = observations.flatMap((first) =>
    observations.flatMap((second) => observations.map((third) => [first, second, third] as const)),
  );
  const common = { check: 'check-1', muted: false, severity: 'high' } as const;
  return combinations.map(([first, second, third], index) => [
    { ...common, ...first, resource: `resource-${index}` },
    { ...common, ...second, resource: `resource-${index}` },
    { ...common, ...third, resource: `resource-${index}` },
  ]);
}

describe('the changes of findings by scans', () => {
  let held: HeldService;
  let service: SharedService;
  let client: Client;
  let session: pg.Client;
  before(async () => {
    held = await joinHeldService();
    ({ service, client, session } = held);
  });
  after(() => held.leave());

  async function accept(account: string, { coverage, records }: Upload): Promise<string> {
    const file = records.map((one) => recordOf(account, one));
    const { status, body } = await client.upload(file, { parts: { coverage } });
    assert.equal(status, 202);
    return body.data.id;
  }

  /** Uploads files, and processes them in this order, or all at once. */
  async function ingest(
    account: string,
    uploads: readonly Upload[],
    order: readonly number[] | 'parallel',
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const upload of uploads) ids.push(await accept(account, upload));
    const groups = order === 'parallel' ? [ids] : order.map((at) => [ids[at] ?? '']);
    for (const group of groups) await processJobs(session, service.tenantId, group);
    return ids;
  }

  async function assertChanges(
    account: string,
    ids: readonly string[],
    steps: readonly Step[],
  ): Promise<void> {
    const { body } = await client.get<Resource[]>(`/scans?filter[account]=${account}&page[size]=100`);
    for (const [upload, id] of ids.entries()) {
      const ofUpload = steps.filter((step) => step.upload === upload);
      const uids = Object.fromEntries(
        CHANGES.map((change) => [
          change,
          ofUpload
            .filter((step) => step.change === change)
            .map(({ uid }) => uid)
            .sort(),
        ]),
      );
      assert.deepEqual(await listedChanges(id), uids, `upload ${upload}`);
      const scan =
        body.data.find(({ relationships }) => relationships.ingestion?.data?.id === id) ?? assert.fail();
      for (const change of CHANGES)
        assert.equal(scan.attributes[change], uids[change]?.length, `${change} in upload ${upload}`);
      assert.deepEqual(await countedChanges(id), countsOf(ofUpload));
    }
  }

  /** The findings that the links of an upload's scan list. */
  async function listedChanges(id: string) {
    const lists = CHANGES.map(async (change) => {
      const { body } = await client.get<Resource[]>(
        `/findings?filter[${change}_in]=${id}&filter[state]=open,resolved&page[size]=1000`,
      );
      return [change, body.data.map(({ attributes }) => String(attributes.uid)).sort()] as const;
    });
    return Object.fromEntries(await Promise.all(lists));
  }

  async function countedChanges(id: string): Promise<readonly string[]> {
    const { body } = await client.get<{
      readonly meta: { readonly findings: Record<string, Record<string, number>> };
    }>(`/ingestions/${id}`);
    return Object.entries(body.data.meta.findings)
      .flatMap(([name, counts]) =>
        Object.entries(counts).flatMap(([severity, count]) =>
          count === 0 ? [] : [`${name} ${severity} ${count}`],
        ),
      )
      .sort();
  }

  function countsOf(steps: readonly Step[]): readonly string[] {
    const names = steps.flatMap(({ change, isFailed, severity }) => {
      const isNewlyFailed = isFailed && ['new', 'reopened', 'regressed'].includes(change);
      return [
        `${change} ${severity}`,
        ...(isFailed && change !== 'resolved' ? [`failed ${severity}`] : []),
        ...(isNewlyFailed ? [`newly_failed ${severity}`] : []),
      ];
    });
    return Array.from(
      Map.groupBy(names, (name) => name),
      ([name, group]) => `${name} ${group.length}`,
    ).sort();
  }

  async function assertHistories(
    account: string,
    ids: readonly string[],
    steps: readonly Step[],
  ): Promise<void> {
    const { body } = await client.get<Resource[]>(
      `/findings?filter[account]=${account}&filter[state]=open,resolved&page[size]=1000`,
    );
    for (const { id, attributes } of body.data) {
      const history = await client.get<Resource[]>(`/findings/${id}/history?page[size]=100`);
      const listed = history.body.data.map(({ attributes: { change, occurred_at }, relationships }) => {
        const upload = ids.indexOf(relationships.ingestion?.data?.id ?? '');
        const time = (Date.parse(String(occurred_at)) / 1000 - EPOCH) / HOUR;
        return `${['status_changed', 'muted', 'unmuted'].includes(String(change)) ? 'unchanged' : change} at ${time} by ${upload}`;
      });
      const expected = steps
        .filter(({ uid, isEvent }) => uid === attributes.uid && isEvent)
        .toSorted(
          (a, b) =>
            b.time - a.time ||
            Number(a.change === 'resolved') - Number(b.change === 'resolved') ||
            b.upload - a.upload,
        )
        .map(({ change, time, upload }) => `${change} at ${time} by ${upload}`);
      assert.deepEqual(listed, expected, String(attributes.uid));
    }
  }

  const orders = [
    [1, 2, 0],
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (const order of isWholeRun ? orders : orders.slice(0, 1))
    it(`are the same if three uploads are processed in the order ${order.map((at) => at + 1).join(', ')}`, async () => {
      const account = `order-${order.join('')}`;
      const histories = allHistories();
      const uploads = ([0, 1, 2] as const).map(
        (at): Upload => ({ coverage: 'partial', records: histories.map((history) => history[at]) }),
      );
      const ids = await ingest(account, uploads, order);
      await assertChanges(account, ids, expectedSteps(uploads));
    });

  for (const seed of isWholeRun ? [1, 2, 3, 4] : [1])
    it(`are those of the oracle, with uploads in the order of time of seed ${seed}`, async () => {
      const uploads = randomUploads(randomNumbers(seed));
      const account = `seed-${seed}`;
      const ids = await ingest(account, uploads, [...uploads.keys()]);
      const steps = expectedSteps(uploads);
      await assertChanges(account, ids, steps);
      await assertHistories(account, ids, steps);
      await assertTrueCounts(service);
    });

  for (const seed of isWholeRun ? [11, 12] : [11])
    it(`have one change per finding of each file, with parallel uploads of seed ${seed}`, async () => {
      const uploads = randomUploads(randomNumbers(seed));
      const account = `parallel-${seed}`;
      const ids = await ingest(account, uploads, 'parallel');
      const { body } = await client.get<Resource[]>(`/scans?filter[account]=${account}&page[size]=100`);
      for (const [upload, id] of ids.entries()) {
        const lists = await listedChanges(id);
        const scan =
          body.data.find(({ relationships }) => relationships.ingestion?.data?.id === id) ?? assert.fail();
        for (const change of CHANGES)
          assert.equal(scan.attributes[change], lists[change]?.length, `${change} in upload ${upload}`);
        const inFile = CHANGES.filter((change) => change !== 'resolved').flatMap(
          (change) => lists[change] ?? [],
        );
        const uids = new Set(uploads[upload]?.records.map(uidOf));
        assert.deepEqual(inFile.sort(), [...uids].sort(), `upload ${upload}`);
      }
    });
});
