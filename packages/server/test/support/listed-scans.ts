import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import { record } from './records.ts';
import type { TenantService } from './service.ts';

/** A scan as expected in the list, derived from the upload. */
export interface ListedScan {
  readonly id: string;
  readonly file: string;
  readonly ingestion: string;
  readonly type: string;
  readonly account: string;
  readonly uid: string | null;
  readonly records: number;
  readonly failed: number;
  readonly inserted_at: string;
}

export type Brought = readonly [
  provider: string,
  uid: string | null,
  failed: number,
  passed: number,
  muted: number,
];

/** Files with several scans: some with the same counts, two with the same scan ID, and one account in two providers. */
const FILES: readonly (readonly [name: string, inserted_at: string, ...scans: Brought[]])[] = [
  [
    '100% done.json',
    '2026-02-28T23:59:59.999999Z',
    ['aws/111', 'night-1', 2, 1, 1],
    ['gcp/111', 'night-1', 0, 4, 0],
  ],
  [
    'Snake_Case.json',
    '2026-03-01T00:00:00.000000Z',
    ['aws/111', 'night-2', 2, 2, 0],
    ['aws/222', null, 1, 0, 3],
  ],
  [
    'snake-case.json',
    '2026-03-01T23:59:59.999999Z',
    ['aws/111', null, 3, 1, 0],
    ['azure/gone', 'night-3', 1, 1, 0],
  ],
  [
    'plain.json',
    '2026-03-02T00:00:00.000000Z',
    ['gcp/111', 'Night_9', 0, 1, 2],
    ['aws/222', 'night-3', 0, 0, 4],
  ],
  // Scans accepted in the same microsecond are ordered by ID.
  ['plain.json', '2026-03-02T00:00:00.000000Z', ['aws/111', 'night-3', 2, 2, 0]],
];
/** The account whose provider the caller may delete. */
export const DELETED_ACCOUNT = 'gone';

/** Returns a file with records of these scans. */
export function scanFile(scans: readonly Brought[]): unknown[] {
  return scans.flatMap(([provider, uid, failed, passed, muted]) => {
    const [type, account] = provider.split('/');
    return Array.from({ length: failed + passed + muted }, (_, at) =>
      record({
        status_code: at < failed || at >= failed + passed ? 'FAIL' : 'PASS',
        status_id: at >= failed + passed ? 3 : 1,
        finding_info: { uid: `finding-${at}` },
        cloud: { provider: type, account: { uid: account } },
        unmapped: { scan_id: uid },
      }),
    );
  });
}

export interface SeededScans {
  readonly all: readonly ListedScan[];
  /** Provider IDs by type and account, such as `aws/111`. */
  readonly providerIds: ReadonlyMap<string, string>;
}

/** Uploads all files for the client and one file for the other tenant, and sets the times of the scans with SQL. */
export async function seedScans(
  service: TenantService,
  client: Client,
  otherClient: Client,
): Promise<SeededScans> {
  await otherClient.ingest(scanFile([['aws/111', 'night-1', 5, 0, 0]]), { fileName: 'plain.json' });
  const uploaded: Omit<ListedScan, 'id'>[] = [];
  for (const [file, inserted_at, ...scans] of FILES) {
    const { id: ingestion } = await client.ingest(scanFile(scans), { fileName: file });
    await service.sql('update scans set inserted_at = $2 where ingestion_id = $1', [ingestion, inserted_at]);
    for (const [provider, uid, failed, passed, muted] of scans) {
      const [type = '', account = ''] = provider.split('/');
      const records = failed + passed + muted;
      uploaded.push({ file, ingestion, type, account, uid, records, failed, inserted_at });
    }
  }
  const rows = await service.sql<
    Record<'id' | 'ingestion_id' | 'provider_id' | 'type' | 'account', string> & { uid: string | null }
  >(
    `select s.id, s.ingestion_id, s.uid, p.id as provider_id, p.type, p.account
     from scans s join providers p on p.id = s.provider_id where s.tenant_id = $1`,
    [service.tenantId],
  );
  assert.equal(rows.length, uploaded.length);
  return {
    all: uploaded.map((scan) => {
      const row = rows.find(
        ({ ingestion_id, uid, type, account }) =>
          ingestion_id === scan.ingestion &&
          uid === scan.uid &&
          type === scan.type &&
          account === scan.account,
      );
      assert.ok(row !== undefined);
      return { id: row.id, ...scan };
    }),
    providerIds: new Map(rows.map(({ type, account, provider_id }) => [`${type}/${account}`, provider_id])),
  };
}
