import type { Resource } from '../support/client.ts';
import type { Faults } from './faults.ts';
import type { KnownUpload } from './oracle.ts';
import { PROVIDER } from './planned-upload.ts';
import type { TenantReader } from './tenant-reader.ts';

interface Provider {
  readonly id: string;
  readonly attributes: { readonly type: string; readonly account: string };
}

interface Scan {
  readonly attributes: { readonly uid: string; readonly records: number };
  readonly relationships: Resource['relationships'];
}

/** Each account is one provider, and what each upload brought of it is counted as one scan, every record once. */
export async function checkProviders(
  reader: TenantReader,
  uploads: readonly KnownUpload[],
  faults: Faults,
): Promise<void> {
  const providers = await reader.all<Provider>('/providers?page[size]=1000');
  const accounts = new Map(providers.map(({ id, attributes }) => [id, attributes.account]));
  const records = new Map<string, number>();
  for (const { id, plan } of uploads) {
    for (const { expected } of plan.records) {
      if (typeof expected === 'string') continue;
      const scan = `${id} ${plan.scanUid} ${expected.account}`;
      records.set(scan, (records.get(scan) ?? 0) + 1);
    }
  }
  const seen = [...records.keys()].map((scan) => `${PROVIDER} ${scan.split(' ')[2]}`);
  const told = providers.map(({ attributes }) => `${attributes.type} ${attributes.account}`);
  faults.expectSame('the providers', told.sort(), [...new Set(seen)].sort());

  const scans = (await reader.all<Scan>('/scans?page[size]=1000')).map(({ attributes, relationships }) => {
    const account = accounts.get(relationships.provider?.data.id ?? '');
    return `${relationships.ingestion?.data.id} ${attributes.uid} ${account}: ${attributes.records}`;
  });
  const expected = new Set([...records].map(([scan, count]) => `${scan}: ${count}`));
  for (const scan of scans) {
    if (!expected.delete(scan)) faults.add(`there is a scan that should not be: ${scan}`);
  }
  for (const scan of expected) faults.add(`there is no scan ${scan}`);
}
