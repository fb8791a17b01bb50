import type { Finding } from '../../../lib/api/types.ts';
import { toCsv } from '../../../lib/csv.ts';

/** Writes findings to a file, one page at a time. */
export interface ExportFormat {
  readonly label: string;
  readonly extension: string;
  readonly mediaType: string;
  /** The content before the first finding. */
  readonly header: string;
  readonly write: (findings: readonly Finding[]) => string;
}

const COLUMNS: Readonly<Record<string, (finding: Finding) => string | boolean | null>> = {
  id: ({ id }) => id,
  uid: ({ attributes }) => attributes.uid,
  check_id: ({ attributes }) => attributes.check_id,
  check_title: ({ attributes }) => attributes.check_title,
  severity: ({ attributes }) => attributes.severity,
  status: ({ attributes }) => attributes.status,
  status_detail: ({ attributes }) => attributes.status_detail,
  muted: ({ attributes }) => attributes.muted,
  delta: ({ attributes }) => attributes.delta,
  resource_uid: ({ attributes }) => attributes.resource.uid,
  resource_name: ({ attributes }) => attributes.resource.name,
  resource_type: ({ attributes }) => attributes.resource.type,
  region: ({ attributes }) => attributes.region,
  service: ({ attributes }) => attributes.service,
  provider_type: ({ attributes }) => attributes.provider_type,
  account: ({ attributes }) => attributes.account,
  categories: ({ attributes }) => attributes.categories.join(';'),
  first_seen_at: ({ attributes }) => attributes.first_seen_at,
  last_seen_at: ({ attributes }) => attributes.last_seen_at,
  status_changed_at: ({ attributes }) => attributes.status_changed_at,
};

export const EXPORT_FORMATS = {
  csv: {
    label: 'CSV',
    extension: 'csv',
    mediaType: 'text/csv;charset=utf-8',
    header: toCsv([Object.keys(COLUMNS)]),
    write: (findings) =>
      toCsv(findings.map((finding) => Object.values(COLUMNS).map((column) => column(finding)))),
  },
  ndjson: {
    label: 'NDJSON',
    extension: 'ndjson',
    mediaType: 'application/x-ndjson',
    header: '',
    write: (findings) =>
      findings.map(({ id, attributes }) => `${JSON.stringify({ id, ...attributes })}\n`).join(''),
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;
