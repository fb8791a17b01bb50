import { hashOf, Random } from '../../../../tools/findings-generator/src/random.ts';
import type { Resource } from '../support/client.ts';
import { extractRaw } from '../support/extract-raw.ts';
import type { Faults } from './faults.ts';
import { type ExpectedFinding, expectedFindings, expectedNames, type KnownUpload, keyOf } from './oracle.ts';
import type { TenantReader } from './tenant-reader.ts';

/** Default number of findings per tenant whose stored records are also checked. */
const RAW_SAMPLES = 25;

interface FindingAttributes {
  readonly uid: string;
  readonly check_id: string;
  readonly resource: { readonly uid: string; readonly name: string };
  readonly region: string;
  readonly service: string;
  readonly account: string;
  readonly status: string;
  readonly severity: string;
  readonly muted: boolean;
  readonly status_detail: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly resolved_at: string | null;
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
  const listed = await reader.all<ReadFinding>(
    '/findings?filter[state]=open,resolved&page[size]=1000&sort=check_id&page[after]=',
  );
  const names = expectedNames(uploads);
  const byKey = Map.groupBy(listed, keyOfRead);
  for (const [key, found] of byKey) {
    if (!expected.has(key)) faults.addDuplicated(1, `the finding for ${key} does not belong to an upload`);
    else if (found.length > 1)
      faults.addDuplicated(found.length - 1, `the finding for ${key} exists ${found.length} times`);
  }
  for (const [key, finding] of expected) {
    const [found] = byKey.get(key) ?? [];
    if (found === undefined)
      faults.addLost(1, `the finding for ${key} (${finding.winner.marker}) is missing`);
    else {
      faults.expectSame(`the finding for ${key}`, stateOf(found), expectedState(finding));
      const { uid, name } = found.attributes.resource;
      if (names.get(uid)?.has(name) !== true)
        faults.add(
          `the resource ${uid} has the name ${name}, expected ${[...(names.get(uid) ?? [])].join(' or ')}`,
        );
    }
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
    const finding = found === undefined ? undefined : expected.get(keyOfRead(found));
    if (found === undefined || finding === undefined) continue;
    const { text } = await reader.get(`/findings/${found.id}`);
    const record = plans.get(finding.ingestionId)?.records[finding.recordIndex]?.text;
    faults.expectSame(`the record for ${finding.winner.marker}`, extractRaw(text), record);
  }
}

function keyOfRead({ attributes }: ReadFinding): string {
  return keyOf({ resourceUid: attributes.resource.uid, checkId: attributes.check_id });
}

function stateOf({ attributes, relationships }: ReadFinding): unknown[] {
  const {
    uid,
    region,
    service,
    account,
    status,
    severity,
    muted,
    status_detail,
    first_seen_at,
    last_seen_at,
    resolved_at,
  } = attributes;
  const ingestion = relationships.ingestion?.data.id;
  return [
    uid,
    region,
    service,
    account,
    status,
    severity,
    muted,
    status_detail,
    ingestion,
    millis(first_seen_at),
    millis(last_seen_at),
    resolved_at === null ? null : millis(resolved_at),
    relationships.resolved_by?.data?.id,
  ];
}

function expectedState({ winner, ingestionId, firstTime, resolvedBy }: ExpectedFinding): unknown[] {
  const { uid, region, account, status, severity, muted, marker, time } = winner;
  return [
    uid,
    region,
    's3',
    account,
    status,
    severity,
    muted,
    marker,
    ingestionId,
    firstTime * 1000,
    time * 1000,
    resolvedBy === undefined ? null : resolvedBy.time * 1000,
    resolvedBy?.ingestionId,
  ];
}

function millis(timestamp: string): number {
  return new Date(timestamp).getTime();
}
