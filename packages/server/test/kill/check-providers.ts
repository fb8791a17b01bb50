import type { Resource } from '../support/client.ts';
import type { Faults } from './faults.ts';
import type { KnownUpload } from './oracle.ts';
import { type Observation, PROVIDER } from './planned-upload.ts';
import type { TenantReader } from './tenant-reader.ts';

interface Provider {
  readonly id: string;
  readonly attributes: { readonly type: string; readonly account: string };
}

interface Scan {
  readonly attributes: ScanCounts & { readonly uid: string };
  readonly relationships: Resource['relationships'];
}

interface ScanCounts {
  readonly records: number;
  /** The number of unmuted FAIL records. */
  readonly failed: number;
  readonly muted: number;
  readonly by_status: Readonly<Record<Observation['status'], number>>;
}

/**
 * Checks that each account has one provider, and that the records of each upload are counted in one scan per account.
 */
export async function checkProviders(
  reader: TenantReader,
  uploads: readonly KnownUpload[],
  faults: Faults,
): Promise<void> {
  const providers = await reader.all<Provider>('/providers?page[size]=1000');
  const accounts = new Map(providers.map(({ id, attributes }) => [id, attributes.account]));
  const records = new Map<string, ScanCounts>();
  for (const { id, plan } of uploads) {
    for (const { expected } of plan.records) {
      if (typeof expected === 'string') continue;
      const scan = `${id} ${plan.scanUid} ${expected.account}`;
      records.set(scan, withOneMore(records.get(scan), expected));
    }
  }
  const uploaded = [...records.keys()].map((scan) => `${PROVIDER} ${scan.split(' ')[2]}`);
  const reported = providers.map(({ attributes }) => `${attributes.type} ${attributes.account}`);
  faults.expectSame('the providers', reported.sort(), [...new Set(uploaded)].sort());

  const scans = (await reader.all<Scan>('/scans?page[size]=1000')).map(({ attributes, relationships }) => {
    const account = accounts.get(relationships.provider?.data.id ?? '');
    return `${relationships.ingestion?.data.id} ${attributes.uid} ${account}: ${describeCounts(attributes)}`;
  });
  const expected = new Set([...records].map(([scan, count]) => `${scan}: ${describeCounts(count)}`));
  for (const scan of scans) {
    if (!expected.delete(scan)) faults.add(`unexpected scan: ${scan}`);
  }
  for (const scan of expected) faults.add(`missing scan: ${scan}`);
}

const NO_RECORDS: ScanCounts = {
  records: 0,
  failed: 0,
  muted: 0,
  by_status: { PASS: 0, FAIL: 0, MANUAL: 0 },
};

function withOneMore(counts = NO_RECORDS, { status, muted }: Observation): ScanCounts {
  return {
    records: counts.records + 1,
    failed: counts.failed + Number(status === 'FAIL' && !muted),
    muted: counts.muted + Number(muted),
    by_status: { ...counts.by_status, [status]: counts.by_status[status] + 1 },
  };
}

function describeCounts({ records, failed, muted, by_status: { PASS, FAIL, MANUAL } }: ScanCounts): string {
  return `${records} records, ${failed} failed, ${muted} muted, ${PASS} PASS, ${FAIL} FAIL, ${MANUAL} MANUAL`;
}
