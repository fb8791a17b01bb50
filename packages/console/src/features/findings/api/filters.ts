import { FINDING_STATES, FINDING_STATUSES, SEVERITIES } from '../../../lib/api/types.ts';
import { CHANGES } from '../../../lib/finding-changes.ts';
import { isUuid, parseDay } from '../../../lib/search-values.ts';

export const DELTAS = ['new', 'changed', 'unchanged'] as const;

/** How a filter maps to the API and the UI. */
interface FilterDefinition {
  /** Sent as `filter[parameter]`. */
  readonly parameter: string;
  /** Sent instead of `parameter` for several values. */
  readonly listParameter?: string;
  readonly isList: boolean;
  readonly label: string;
  /** Whether the API accepts the value. */
  readonly accepts: (value: string) => boolean;
  /** The value that the API uses if the filter is missing. */
  readonly defaultValue?: string;
}

const list = (parameter: string, label: string, accepts = isText): FilterDefinition => ({
  parameter,
  listParameter: `${parameter}__in`,
  isList: true,
  label,
  accepts,
});
const single = (parameter: string, label: string, accepts = isText): FilterDefinition => ({
  parameter,
  isList: false,
  label,
  accepts,
});

/** The filters, keyed by their names in the URL. */
export const FILTERS = {
  state: {
    ...list('state', 'State', oneOf(FINDING_STATES)),
    listParameter: 'state',
    defaultValue: 'open',
  },
  status: list('status', 'Status', oneOf(FINDING_STATUSES)),
  severity: list('severity', 'Severity', oneOf(SEVERITIES)),
  delta: list('delta', 'Change', oneOf(DELTAS)),
  muted: single('muted', 'Muted', oneOf(['true', 'false'])),
  service: list('service', 'Service'),
  provider_type: list('provider_type', 'Provider type'),
  account: list('account', 'Account'),
  provider: list('provider', 'Provider', isUuid),
  check: list('check_id', 'Check'),
  region: list('region', 'Region'),
  resource: list('resource_uid', 'Resource'),
  category: list('category', 'Category'),
  scan: list('scan', 'Scan', isUuid),
  ingestion: list('ingestion', 'Upload', isUuid),
  regressed_in: single('regressed_in', 'Regressed in', isUuid),
  new_in: single('new_in', 'New in', isUuid),
  reopened_in: single('reopened_in', 'Reopened in', isUuid),
  fixed_in: single('fixed_in', 'Fixed in', isUuid),
  resolved_in: single('resolved_in', 'Resolved in', isUuid),
  unchanged_in: single('unchanged_in', 'Unchanged in', isUuid),
  seen_from: single('last_seen_at__gte', 'Last seen from', isDay),
  seen_to: single('last_seen_at__lte', 'Last seen until', isDay),
  first_from: single('first_seen_at__gte', 'First seen from', isDay),
  first_to: single('first_seen_at__lte', 'First seen until', isDay),
  changed_from: single('status_changed_at__gte', 'Status changed from', isDay),
  changed_to: single('status_changed_at__lte', 'Status changed until', isDay),
  search: single('search', 'Search'),
} as const satisfies Readonly<Record<string, FilterDefinition>>;

export type FilterName = keyof typeof FILTERS;

/** Values by filter. A missing filter has its default value, or matches everything. */
export type Filters = Readonly<Partial<Record<FilterName, readonly string[]>>>;

export const FILTER_NAMES: readonly FilterName[] = Object.keys(FILTERS).filter(isFilterName);

function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(FILTERS, name);
}

/** Returns the filters without the given names. Facet counts use this to ignore their own filter. */
export function withoutFilters(filters: Filters, ...names: readonly FilterName[]): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.some((each) => each === name)));
}

/** Whether the values have the same effect as a missing filter. */
export function isDefault(name: FilterName, values: readonly string[]): boolean {
  return values.length === 0 || (values.length === 1 && values[0] === FILTERS[name].defaultValue);
}

/** Serializes filters as an API query. Equal filters produce equal strings. */
export function filterQuery(filters: Filters): string {
  const query = new URLSearchParams();
  for (const name of FILTER_NAMES) {
    const values = filters[name] ?? [];
    if (isDefault(name, values)) continue;
    const { parameter, listParameter = parameter } = FILTERS[name];
    query.set(`filter[${values.length > 1 ? listParameter : parameter}]`, values.join());
  }
  return query.toString();
}

/** Whether the values of the filter are IDs of scans or uploads that changed findings. */
export function isChangeFilter(name: FilterName): boolean {
  return CHANGES.some((change) => name === `${change}_in`);
}

function oneOf(values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value);
}

/** PostgreSQL cannot store U+0000. */
function isText(value: string): boolean {
  return !value.includes('\0');
}

function isDay(value: string): boolean {
  return parseDay(value) !== undefined;
}
