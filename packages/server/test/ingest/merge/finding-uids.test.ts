import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { STORED_FINDINGS } from '../../support/stored-findings.ts';

const LONG = 'x'.repeat(12_000);

/** The findings of a resource, in the order of their records. */
type Findings = readonly {
  readonly checkId: string;
  readonly uid: string;
  /** Whether the uid is stored with the finding, because the resource's pattern does not produce it. */
  readonly isStored: boolean;
}[];

const CASES: Readonly<Record<string, Findings>> = {
  'a uid per check and resource': [
    { checkId: 'check_a', uid: 'scanner-check_a-1-bucket', isStored: false },
    { checkId: 'check_b', uid: 'scanner-check_b-1-bucket', isStored: false },
    { checkId: 'check_long_name', uid: 'scanner-check_long_name-1-bucket', isStored: false },
  ],
  'a uid without the check id': [
    { checkId: 'check_a', uid: 'finding-1', isStored: true },
    { checkId: 'check_b', uid: 'scanner-check_b-bucket', isStored: true },
  ],
  'a uid with the check id twice': [
    { checkId: 'check_a', uid: 'check_a/check_a', isStored: false },
    { checkId: 'check_b', uid: 'check_b/check_a', isStored: false },
    { checkId: 'check_c', uid: 'check_c/check_c', isStored: true },
  ],
  'a uid that is the check id': [
    { checkId: 'check_a', uid: 'check_a', isStored: false },
    { checkId: 'check_b', uid: 'check_b', isStored: false },
    { checkId: 'check_c', uid: 'check_b', isStored: true },
  ],
  'a uid with U+0001': [
    { checkId: 'check_a', uid: 'scanner-check_a-\u0001', isStored: true },
    { checkId: 'check_b', uid: '\u0001', isStored: true },
  ],
  'a check id with U+0001': [
    { checkId: 'check_a', uid: 'scanner-check_a-bucket', isStored: false },
    { checkId: 'check\u0001b', uid: 'scanner-check\u0001b-bucket', isStored: false },
  ],
  'a check id with characters that are special in replacements': [
    { checkId: "$&$1$$$'\\1\\&", uid: "scanner-$&$1$$$'\\1\\&-bucket", isStored: false },
    { checkId: '\\', uid: 'scanner-\\-bucket', isStored: false },
  ],
  'uids with different patterns': [
    { checkId: 'check_a', uid: 'scanner-check_a-bucket', isStored: false },
    { checkId: 'check_a', uid: 'other-check_a-bucket', isStored: true },
    { checkId: 'check_b', uid: 'scanner-check_b-bucket', isStored: false },
    { checkId: 'check_b', uid: 'scanner-check_b-vault', isStored: true },
  ],
  'a uid longer than 10 KB': [
    { checkId: 'check_a', uid: `${LONG}check_a${LONG}`, isStored: false },
    { checkId: 'check_b', uid: `${LONG}check_b${LONG}`, isStored: false },
    { checkId: 'check_c', uid: `${LONG}check_c${LONG}x`, isStored: true },
  ],
  'a uid of characters outside the BMP': [
    { checkId: '😀', uid: '😀😀€😀', isStored: false },
    { checkId: '€', uid: '€😀€😀', isStored: false },
  ],
};

interface StoredFinding {
  readonly resource: string | null;
  readonly checkId: string;
  readonly uid: string;
  readonly isStored: boolean;
}

describe('the uid of a finding', () => {
  let service: SharedService;
  let client: Client;
  /** The findings of an upload with all cases. */
  let together: readonly StoredFinding[];
  /** The findings of several uploads. The n-th upload contains the n-th finding of each case. */
  const separate: (readonly StoredFinding[])[] = [];
  /** The findings of a last upload, which repeats the findings of the previous uploads in reverse order. */
  let again: readonly StoredFinding[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    together = await ingest(0, (findings) => findings, '1');
    for (const n of Array(4).keys())
      separate.push(await ingest(0, (findings) => findings.slice(n, n + 1), '2'));
    again = await ingest(1, (findings) => findings.toReversed(), '2');
  });
  after(() => service.leave());

  const recordOf = (resource: string | null, { checkId, uid }: Findings[number], time: number) =>
    record({
      time: 1_780_000_000 + time,
      finding_info: { uid },
      metadata: { event_code: checkId },
      resources: resource === null ? [] : [{ uid: resource, name: 'Name' }],
    });
  /** Ingests some findings of each case. The name is part of the uids of their resources. */
  const ingest = async (time: number, select: (findings: Findings) => Findings, name: string) => {
    const { id } = await client.ingest(
      Object.entries(CASES).flatMap(([description, findings]) =>
        select(findings).map((one) => recordOf(`${description} ${name}`, one, time)),
      ),
    );
    return await storedIn(id);
  };
  const storedIn = async (job: string): Promise<readonly StoredFinding[]> =>
    await service.sql(
      `select f.resource_uid as resource, f.check_id as "checkId", f.uid, f.has_own_uid as "isStored"
         from ${STORED_FINDINGS} f where f.ingestion_id = $1 order by f.record_index`,
      [job],
    );

  for (const [description, findings] of Object.entries(CASES)) {
    it(`is stored unchanged for ${description}, in one upload or several`, () => {
      const of = (stored: readonly StoredFinding[] | undefined, name: string) =>
        stored
          ?.filter(({ resource }) => resource === `${description} ${name}`)
          .map(({ resource, ...finding }) => finding);
      assert.deepEqual(of(together, '1'), findings);
      for (const [n, one] of findings.entries()) assert.deepEqual(of(separate[n], '2'), [one]);
      // The pattern does not change, whichever finding is seen again first.
      assert.deepEqual(of(again, '2'), findings.toReversed());
    });
  }

  it('is stored with a finding that has no resource', async () => {
    const finding = { checkId: 'check_a', uid: 'scanner-check_a', isStored: true };
    const { id } = await client.ingest([recordOf(null, finding, 0)]);
    assert.deepEqual(await storedIn(id), [{ resource: null, ...finding }]);
  });
});
