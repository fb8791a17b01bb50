import assert from 'node:assert/strict';
import { CHANGES } from '../../../src/resources/finding-changes.ts';
import type { Resource } from '../../support/client.ts';
import { type HeldService, processJobs } from '../../support/held-jobs.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { EPOCH, HOUR, recordOf, type Step, type Upload, uidOf } from './changes-oracle.ts';

/** Uploads files to a service without workers, and compares the changes of their findings with those of the oracle. */
export class ChangesOfUploads {
  readonly #held: HeldService;

  constructor(held: HeldService) {
    this.#held = held;
  }

  /** Processes jobs at the same time. */
  async process(ids: readonly string[]): Promise<void> {
    const { session, service } = this.#held;
    await processJobs(session, service.tenantId, ids);
  }

  async accept(account: string, { coverage, records }: Upload): Promise<string> {
    const file = records.map((one) => recordOf(account, one));
    const { status, body } = await this.#held.client.upload(file, { parts: { coverage } });
    assert.equal(status, 202);
    return body.data.id;
  }

  /** Uploads files, and processes them in this order, or all at once. */
  async ingest(
    account: string,
    uploads: readonly Upload[],
    order: readonly number[] | 'parallel',
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const upload of uploads) ids.push(await this.accept(account, upload));
    const groups = order === 'parallel' ? [ids] : order.map((at) => [ids[at] ?? '']);
    for (const group of groups) await this.process(group);
    return ids;
  }

  /** Asserts that each upload lists and counts one change per finding in its file. */
  async assertConsistent(account: string, ids: readonly string[], uploads: readonly Upload[]): Promise<void> {
    const { body } = await this.#held.client.get<Resource[]>(
      `/scans?filter[account]=${account}&page[size]=100`,
    );
    for (const [upload, id] of ids.entries()) {
      const lists = await this.#listedChanges(id);
      const scan =
        body.data.find(({ relationships }) => relationships.ingestion?.data?.id === id) ?? assert.fail();
      for (const change of CHANGES)
        assert.equal(scan.attributes[change], lists[change]?.length, `${change} in upload ${upload}`);
      const inFile = CHANGES.filter((change) => change !== 'resolved').flatMap(
        (change) => lists[change] ?? [],
      );
      assert.deepEqual(
        inFile.sort(),
        [...new Set(uploads[upload]?.records.map(uidOf))].sort(),
        `upload ${upload}`,
      );
    }
    await assertTrueCounts(this.#held.service);
  }

  async assertChanges(account: string, ids: readonly string[], steps: readonly Step[]): Promise<void> {
    const { body } = await this.#held.client.get<Resource[]>(
      `/scans?filter[account]=${account}&page[size]=100`,
    );
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
      assert.deepEqual(await this.#listedChanges(id), uids, `upload ${upload}`);
      const scan =
        body.data.find(({ relationships }) => relationships.ingestion?.data?.id === id) ?? assert.fail();
      for (const change of CHANGES)
        assert.equal(scan.attributes[change], uids[change]?.length, `${change} in upload ${upload}`);
      assert.deepEqual(await this.#countedChanges(id), countsOf(ofUpload));
    }
  }

  /** The findings that the links of an upload's scan list. */
  async #listedChanges(id: string) {
    const lists = CHANGES.map(async (change) => {
      const { body } = await this.#held.client.get<Resource[]>(
        `/findings?filter[${change}_in]=${id}&filter[state]=open,resolved&page[size]=1000`,
      );
      return [change, body.data.map(({ attributes }) => String(attributes.uid)).sort()] as const;
    });
    return Object.fromEntries(await Promise.all(lists));
  }

  async #countedChanges(id: string): Promise<readonly string[]> {
    const { body } = await this.#held.client.get<{
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

  async assertHistories(
    account: string,
    ids: readonly string[],
    steps: readonly Step[],
    { unit = 1 } = {},
  ): Promise<void> {
    const rounded = (time: number) => Math.floor(time / unit) * unit;
    const { body } = await this.#held.client.get<Resource[]>(
      `/findings?filter[account]=${account}&filter[state]=open,resolved&page[size]=1000`,
    );
    for (const { id, attributes } of body.data) {
      const history = await this.#held.client.get<Resource[]>(`/findings/${id}/history?page[size]=100`);
      const listed = history.body.data.map(({ attributes: { change, occurred_at }, relationships }) => {
        const upload = ids.indexOf(relationships.ingestion?.data?.id ?? '');
        const time = rounded((Date.parse(String(occurred_at)) / 1000 - EPOCH) / HOUR);
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
        .map(({ change, time, upload }) => `${change} at ${rounded(time)} by ${upload}`);
      assert.deepEqual(listed, expected, String(attributes.uid));
    }
  }
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
