/** A value in one row that the API description does not allow, and that no constraint of the database prevents. */
export interface UnexpectedValue {
  /** A list. */
  readonly path: string;
  /** Whether the API has no endpoint for a single resource of this type. */
  readonly isListOnly?: boolean;
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** As text of this type. */
  readonly value: string;
  /** The column that identifies the row. Its value is the id of the resource, or else the attribute with its name. */
  readonly key?: string;
  /** SQL expression for the value of `key`, if the table has no such column. */
  readonly keySql?: string;
  /** The path of the value in the resource. */
  readonly at: string;
  /** The value in the response. */
  readonly expected: unknown;
}

/** PostgreSQL formats the time `infinity` as NULL. */
const INFINITE = { type: 'timestamptz', value: 'infinity', expected: null };
const YEAR_12026 = {
  type: 'timestamptz',
  value: '12026-01-31 12:00:00Z',
  expected: '12026-01-31T12:00:00.000000Z',
};
const NEGATIVE = { type: 'bigint', value: '-1', expected: -1 };
const CREATED = { column: 'created_at', at: 'attributes.inserted_at' };

const finding = { path: '/findings', table: 'findings' };
const severity = {
  table: 'findings',
  column: 'severity',
  type: 'smallint',
  value: '42',
  at: 'attributes.severity',
  expected: '42',
};

/** The check id of a finding. */
const CHECK_ID =
  '(select c.check_id from checks c where c.tenant_id = findings.tenant_id and c.key = findings.check_key)';

/**
 * Some values cannot be unexpected. Constraints restrict the subscription, computed columns such as `delta`, and null; the
 * totals have no other statuses. The columns of checks allow any text. Of the stored permissions, the API returns only those that it knows.
 */
export const UNEXPECTED_VALUES: readonly UnexpectedValue[] = [
  { ...severity, path: '/findings' },
  { ...severity, path: '/findings?sort=-severity&page[after]=' },
  { ...finding, ...INFINITE, column: 'first_seen_at', at: 'attributes.first_seen_at' },
  { ...finding, ...YEAR_12026, column: 'last_seen_at', at: 'attributes.last_seen_at' },
  {
    ...finding,
    ...YEAR_12026,
    path: '/findings?sort=-last_seen_at&page[after]=',
    column: 'last_seen_at',
    at: 'attributes.last_seen_at',
  },
  { ...INFINITE, ...CREATED, path: '/providers', table: 'providers' },
  { ...severity, path: '/checks', key: 'check_id', keySql: CHECK_ID },
  { ...severity, path: '/checks?sort=failing', key: 'check_id', keySql: CHECK_ID },
  { ...NEGATIVE, path: '/scans', table: 'scans', column: 'records', at: 'attributes.records' },
  { ...INFINITE, path: '/scans', table: 'scans', column: 'started_at', at: 'attributes.started_at' },
  {
    path: '/ingestions',
    table: 'ingestions',
    column: 'status',
    type: 'ingestion_status',
    value: 'later',
    at: 'attributes.status',
    expected: 'later',
  },
  { ...NEGATIVE, path: '/ingestions', table: 'ingestions', column: 'bytes', at: 'meta.bytes' },
  {
    ...INFINITE,
    path: '/ingestions',
    table: 'ingestions',
    column: 'requested_at',
    at: 'attributes.requested_at',
  },
  ...['errors', 'warnings'].map((name) => ({
    ...NEGATIVE,
    path: `/ingestions/{id}/${name}`,
    isListOnly: true,
    table: `ingestion_${name}`,
    key: 'byte_offset',
    column: 'record_index',
    at: 'attributes.record_index',
  })),
  { ...INFINITE, ...CREATED, path: '/users', table: 'users' },
  { ...INFINITE, ...CREATED, path: '/api-keys', table: 'api_keys' },
  { ...INFINITE, ...CREATED, path: '/roles', table: 'roles' },
  {
    path: '/audit-events',
    table: 'audit_events',
    column: 'changes',
    type: 'jsonb',
    value: '["name"]',
    at: 'attributes.changes',
    expected: ['name'],
  },
  {
    ...INFINITE,
    path: '/audit-events?page[after]=',
    table: 'audit_events',
    column: 'occurred_at',
    at: 'attributes.occurred_at',
  },
];
