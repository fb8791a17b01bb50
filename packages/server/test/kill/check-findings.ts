import { hashOf, Random } from '../../../../tools/findings-generator/src/random.ts';
import type { Resource } from '../support/client.ts';
import { extractRaw } from '../support/extract-raw.ts';
import type { Faults } from './faults.ts';
import { type ExpectedFinding, expectedFindings, type KnownUpload } from './oracle.ts';
import type { TenantReader } from './tenant-reader.ts';

/** Default number of findings per tenant whose stored records are also checked. */
const RAW_SAMPLES = 25;

interface FindingAttributes {
  readonly resource: { readonly uid: string };
  readonly account: string;
  readonly status: string;
  readonly severity: string;
  readonly muted: boolean;
  readonly status_detail: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

interface ReadFinding {
  readonly id: string;
  readonly attributes: FindingAttributes;
  readonly relationships: Resource['relationships'];
}

/**
 * Checks that every finding exists exactly once, with the state computed by the oracle and with the correct record.
 * Returns the number of findings.
 */
export async function checkFindings(
  reader: TenantReader,
  uploads: readonly KnownUpload[],
  faults: Faults,
  samples = RAW_SAMPLES,
): Promise<number> {
  const expected = expectedFindings(uploads);
  const listed = await reader.all<ReadFinding>('/findings?page[size]=1000&sort=check_id&page[after]=');
  const byResource = Map.groupBy(listed, ({ attributes }) => attributes.resource.uid);
  for (const [uid, found] of byResource) {
    if (!expected.has(uid)) faults.addDuplicated(1, `the finding for ${uid} does not belong to an upload`);
    else if (found.length > 1)
      faults.addDuplicated(found.length - 1, `the finding for ${uid} exists ${found.length} times`);
  }
  for (const [uid, finding] of expected) {
    const [found] = byResource.get(uid) ?? [];
    if (found === undefined)
      faults.addLost(1, `the finding for ${uid} (${finding.winner.marker}) is missing`);
    else faults.expectSame(`the finding for ${uid}`, stateOf(found), expectedState(finding));
  }
  await checkRecords(reader, listed, expected, uploads, faults, samples);
  return listed.length;
}

async function checkRecords(
  reader: TenantReader,
  listed: readonly ReadFinding[],
  expected: ReadonlyMap<string, ExpectedFinding>,
  uploads: readonly KnownUpload[],
  faults: Faults,
  samples: number,
): Promise<void> {
  const plans = new Map(uploads.map(({ id, plan }) => [id, plan]));
  const random = new Random(hashOf(listed.length));
  for (let sample = 0; sample < Math.min(samples, listed.length); sample++) {
    const found = listed[random.below(listed.length)];
    const finding = expected.get(found?.attributes.resource.uid ?? '');
    if (found === undefined || finding === undefined) continue;
    const { text } = await reader.get(`/findings/${found.id}`);
    const record = plans.get(finding.ingestionId)?.records[finding.recordIndex]?.text;
    faults.expectSame(`the record for ${finding.winner.marker}`, extractRaw(text), record);
  }
}

function stateOf({ attributes, relationships }: ReadFinding): unknown[] {
  const { account, status, severity, muted, status_detail, first_seen_at, last_seen_at } = attributes;
  const ingestion = relationships.ingestion?.data.id;
  return [
    account,
    status,
    severity,
    muted,
    status_detail,
    ingestion,
    millis(first_seen_at),
    millis(last_seen_at),
  ];
}

function expectedState({ winner, ingestionId, firstTime }: ExpectedFinding): unknown[] {
  const { account, status, severity, muted, marker, time } = winner;
  return [account, status, severity, muted, marker, ingestionId, firstTime * 1000, time * 1000];
}

function millis(timestamp: string): number {
  return new Date(timestamp).getTime();
}
