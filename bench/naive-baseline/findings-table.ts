import { type Generated, type Insertable, type Kysely, sql } from 'kysely';
import type { FindingRecord } from './finding-schema.ts';

export interface Database {
  findings: FindingsTable;
}

interface FindingsTable {
  id: Generated<string>;
  provider: string;
  account: string;
  check_id: string;
  finding_uid: string;
  resource_uid: string;
  resource_name: string | null;
  resource_type: string | null;
  region: string | null;
  status: string;
  status_detail: string | null;
  severity: number;
  title: string | null;
  seen_at: Date;
  inserted_at: Generated<Date>;
  record: string;
}

/** Creates the table, which includes the raw record, and the indexes that lists would need. */
export async function createFindingsTable(db: Kysely<Database>): Promise<void> {
  await db.schema
    .createTable('findings')
    .addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('check_id', 'text', (column) => column.notNull())
    .addColumn('finding_uid', 'text', (column) => column.notNull())
    .addColumn('resource_uid', 'text', (column) => column.notNull())
    .addColumn('resource_name', 'text')
    .addColumn('resource_type', 'text')
    .addColumn('region', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_detail', 'text')
    .addColumn('severity', 'integer', (column) => column.notNull())
    .addColumn('title', 'text')
    .addColumn('seen_at', 'timestamptz', (column) => column.notNull())
    .addColumn('inserted_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn('record', 'jsonb', (column) => column.notNull())
    .addUniqueConstraint('findings_identity', [...IDENTITY])
    .execute();
  await db.schema.createIndex('findings_check').on('findings').column('check_id').execute();
  await db.schema
    .createIndex('findings_status')
    .on('findings')
    .columns(['status', 'severity', 'seen_at'])
    .execute();
}

/** The columns that identify a finding. */
export const IDENTITY = ['provider', 'account', 'check_id', 'finding_uid', 'resource_uid'] as const;

export function rowOf(record: FindingRecord): Insertable<FindingsTable> {
  const resource = record.resources?.[0];
  return {
    provider: record.cloud.provider,
    account: record.cloud.account.uid,
    check_id: record.metadata.event_code,
    finding_uid: record.finding_info.uid,
    resource_uid: resource?.uid ?? '',
    resource_name: resource?.name ?? null,
    resource_type: resource?.type ?? null,
    region: resource?.region ?? null,
    status: record.status_code,
    status_detail: record.status_detail ?? null,
    severity: record.severity_id,
    title: record.finding_info.title ?? null,
    seen_at: new Date(record.time * 1000),
    record: JSON.stringify(record),
  };
}
