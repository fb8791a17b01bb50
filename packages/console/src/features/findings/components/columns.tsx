import {
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { DeltaBadge, SeverityBadge, StateBadge, StatusBadge } from '../../../components/badges.tsx';
import { Time } from '../../../components/time.tsx';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import type { FindingField, FindingRow } from '../api/list-findings.ts';
import styles from './findings-grid.module.css';
import type { VisibleRow } from './use-rows.ts';

export const features = tableFeatures({ columnVisibilityFeature, columnSizingFeature });

const helper = createColumnHelper<typeof features, VisibleRow>();

/** Column properties that the table library does not provide. */
export interface ColumnDefinition {
  readonly label: string;
  /** The attributes that the cells display. */
  readonly fields: readonly FindingField[];
  /** The API's `sort` key. */
  readonly sort?: string;
}

const COLUMN_DEFINITIONS: Readonly<Record<string, ColumnDefinition>> = {
  severity: { label: 'Severity', fields: ['severity'], sort: 'severity' },
  status: { label: 'Status', fields: ['status', 'muted'], sort: 'status' },
  check_title: { label: 'Finding', fields: ['check_title', 'check_id', 'state', 'delta'], sort: 'check_id' },
  check_id: { label: 'Check', fields: ['check_id'] },
  resource: { label: 'Resource', fields: ['resource'] },
  account: { label: 'Account', fields: ['account'] },
  provider_type: { label: 'Provider type', fields: ['provider_type'] },
  service: { label: 'Service', fields: ['service'] },
  region: { label: 'Region', fields: ['region'] },
  last_seen_at: { label: 'Last seen', fields: ['last_seen_at'], sort: 'last_seen_at' },
  first_seen_at: { label: 'First seen', fields: ['first_seen_at'], sort: 'first_seen_at' },
  status_changed_at: { label: 'Status changed', fields: ['status_changed_at'] },
};

/** In display order. */
export const COLUMN_IDS: readonly string[] = Object.keys(COLUMN_DEFINITIONS);
/** Always visible, because it opens the finding. */
export const TITLE_COLUMN = 'check_title';
/** The columns that are shown on narrow screens. */
export const NARROW_COLUMNS: readonly string[] = ['check_title', 'severity', 'status', 'resource'];

export function getColumnDefinition(column: string): ColumnDefinition {
  const definition = COLUMN_DEFINITIONS[column];
  if (definition === undefined) throw new Error(`Unknown column ${column}`);
  return definition;
}

/** The columns that can be hidden. */
export const OPTIONAL_COLUMNS: readonly string[] = COLUMN_IDS.filter((id) => id !== TITLE_COLUMN);

/** Returns the attributes that the columns display, without duplicates and in a stable order. */
export function getRequiredFields(columns: readonly string[]): readonly FindingField[] {
  return [
    ...new Set(
      COLUMN_IDS.filter((id) => columns.includes(id)).flatMap((id) => getColumnDefinition(id).fields),
    ),
  ];
}

/** `size` is the minimum width in pixels. The remaining width is distributed proportionally. */
const column = (id: string, size: number, cell: (attributes: FindingRow['attributes']) => ReactNode) =>
  helper.display({
    id,
    size,
    header: getColumnDefinition(id).label,
    cell: ({ row }) => cell(row.original.finding.attributes),
  });

const text = (value: string | null | undefined, className = '') => (
  <span className={`${styles.text} ${className}`} title={value ?? undefined}>
    {value}
  </span>
);
const dim = (value: string | null | undefined) => text(value, styles.dim);
const mono = (value: string | null | undefined) => text(value, styles.mono);
const time = (value: string | undefined) =>
  value !== undefined && (
    <span className={styles.dim}>
      <Time time={value} />
    </span>
  );

export const columns = helper.columns([
  column('severity', 98, ({ severity }) => severity !== undefined && <SeverityBadge severity={severity} />),
  column(
    'status',
    80,
    ({ status, muted = false }) => status !== undefined && <StatusBadge status={status} muted={muted} />,
  ),
  column(TITLE_COLUMN, 216, ({ check_title, check_id, state, delta }) => (
    <>
      {text(check_title ?? check_id)}
      {state !== undefined && <StateBadge state={state} />}
      {delta !== undefined && <DeltaBadge delta={delta} />}
    </>
  )),
  column('check_id', 160, ({ check_id }) => mono(check_id)),
  column('resource', 132, ({ resource }) => mono(resource?.name || resource?.uid)),
  column('account', 116, ({ account }) => dim(account)),
  column('provider_type', 110, ({ provider_type }) => dim(provider_type && providerTypeLabel(provider_type))),
  column('service', 74, ({ service }) => dim(service)),
  column('region', 96, ({ region }) => dim(region)),
  column('last_seen_at', 116, ({ last_seen_at }) => time(last_seen_at)),
  column('first_seen_at', 116, ({ first_seen_at }) => time(first_seen_at)),
  column('status_changed_at', 116, ({ status_changed_at }) => time(status_changed_at)),
]);
