interface ExportFormat {
  readonly label: string;
  readonly extension: string;
  readonly mediaType: string;
}

/** The formats of the export endpoint. */
export const EXPORT_FORMATS = {
  csv: { label: 'CSV', extension: 'csv', mediaType: 'text/csv;charset=utf-8' },
  ndjson: { label: 'NDJSON', extension: 'ndjson', mediaType: 'application/x-ndjson' },
  ocsf: { label: 'OCSF', extension: 'ocsf.json', mediaType: 'application/json' },
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;

/** In the order of the menu. */
export const EXPORT_FORMAT_NAMES: readonly ExportFormatName[] = ['csv', 'ndjson', 'ocsf'];
