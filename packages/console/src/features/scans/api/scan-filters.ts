import { parseDay, parseLabel, parseList, parseUuids } from '../../../lib/search-values.ts';

/** The sort keys that the API supports. */
export const SCAN_SORTS = ['inserted_at', 'records', 'failed'] as const;
export type ScanSort = (typeof SCAN_SORTS)[number] | `-${(typeof SCAN_SORTS)[number]}`;

/** The filters of the scan list. An empty list matches all scans. */
export interface ScanFilters {
  readonly provider_type: readonly string[];
  readonly account: readonly string[];
  /** IDs. */
  readonly provider: readonly string[];
  readonly ingestion: readonly string[];
  /** Scan IDs as reported in the records. */
  readonly uid: readonly string[];
  /** Dates in UTC, both inclusive. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** A label `key=value` of the upload. */
  readonly label: string | undefined;
  readonly search: string;
}

/** Parses the filters from the URL. Ignores values that the API would reject. */
export function readScanFilters(search: Readonly<Record<string, string | undefined>>): ScanFilters {
  return {
    provider_type: parseList(search.provider_type),
    account: parseList(search.account),
    provider: parseUuids(search.provider),
    ingestion: parseUuids(search.ingestion),
    uid: parseList(search.uid),
    from: parseDay(search.from),
    to: parseDay(search.to),
    label: parseLabel(search.label),
    search: search.search?.trim() ?? '',
  };
}

/** Whether any filter is set. */
export function hasScanFilters(filters: ScanFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined && value.length > 0);
}

/** Converts the filters to API query parameters. */
export function scanFilterQuery({ provider_type, account, provider, ingestion, uid, ...rest }: ScanFilters) {
  const { from, to, label, search } = rest;
  return {
    ...(provider_type.length > 0 && { 'filter[provider_type__in]': [...provider_type] }),
    ...(account.length > 0 && { 'filter[account__in]': [...account] }),
    ...(provider.length > 0 && { 'filter[provider__in]': [...provider] }),
    ...(ingestion.length > 0 && { 'filter[ingestion__in]': [...ingestion] }),
    ...(uid.length > 0 && { 'filter[uid__in]': [...uid] }),
    ...(from !== undefined && { 'filter[inserted_at__gte]': from }),
    ...(to !== undefined && { 'filter[inserted_at__lte]': to }),
    ...(label !== undefined && { 'filter[label]': label }),
    ...(search !== '' && { 'filter[search]': search }),
  };
}
