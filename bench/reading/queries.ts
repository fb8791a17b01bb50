import type { Client } from '../../packages/server/test/support/client.ts';

/** A request, and its target in milliseconds. */
export interface Query {
  readonly name: string;
  /** Path relative to `/api/v1`. */
  readonly path: string;
  readonly targetMs: number;
}

/** The part of a finding that provides values for filters. */
interface Finding {
  readonly attributes: {
    readonly account: string;
    readonly service: string | null;
    readonly region: string | null;
    readonly check_id: string;
    readonly categories: readonly string[];
    readonly resource: { readonly type: string | null };
    readonly severity: string;
  };
  readonly relationships: { readonly provider: { readonly data: { readonly id: string } } };
}

const SORTS = [
  'id',
  'severity',
  'status',
  'last_seen_at',
  'first_seen_at',
  'status_changed_at',
  'check_id',
  'account',
  'resource',
];
const GROUPS = ['check', 'resource', 'account', 'service', 'region'];
/** The attributes of groups that are not read from the failing findings. */
const COUNTS = 'name,total,failing,muted,by_severity,by_status';
/** Text that the generated files contain. */
const SEARCHES = {
  'a word in check titles': 'ingress',
  'a fragment of resource names': 'billing-a',
  'two words': 'security port',
  'two characters that begin names of resources': 'bi',
  'two characters that begin regions': 'eu',
};
/** Each combination matches more than 100,000 of 1,000,000 findings. */
const COMBINATIONS = [
  'filter[status]=FAIL&filter[muted]=false&filter[provider_type]=aws',
  'filter[status]=PASS&filter[severity__in]=medium,high&filter[delta]=unchanged',
  'filter[category__in]=identity-access,encryption&filter[provider_type__in]=aws,azure&filter[muted]=false',
  'filter[search]=ingress&filter[status]=PASS',
];
const SIMPLE_MS = 100;
const MIDDLE_PAGE_MS = 200;
const LARGE_MS = 1000;

/** Returns the queries, with filter values that occur in the data. */
export async function listQueries(client: Client): Promise<readonly Query[]> {
  const { finding, pages } = await readFirstPage(client);
  const filters = filtersOf(finding);
  const searches = { ...SEARCHES, 'an account': filters.account };
  const scan = (await client.get<readonly { readonly id: string }[]>('/scans')).body.data[0]?.id;
  return [
    ...SORTS.flatMap((key) => [key, `-${key}`]).map((sort) =>
      query(`findings by ${sort}`, `/findings?sort=${sort}`),
    ),
    ...GROUPS.map((by) => query(`groups by ${by}`, `/findings/groups?by=${by}`)),
    ...GROUPS.map((by) =>
      query(`groups by ${by}, counts only`, `/findings/groups?by=${by}&fields[finding-groups]=${COUNTS}`),
    ),
    ...(['new', 'unchanged', 'fixed'] as const).map((change) =>
      query(`${change} findings of a scan`, `/findings?filter[${change}_in]=${scan}`, LARGE_MS),
    ),
    query('resources', '/resources'),
    query('facets', '/findings/summary'),
    ...Object.entries(filters).map(([name, value]) =>
      query(`facets, filter on ${name}`, `/findings/summary?filter[${name}]=${encodeURIComponent(value)}`),
    ),
    ...Object.entries(searches).map(([name, text]) =>
      query(`search for ${name}`, `/findings?filter[search]=${encodeURIComponent(text)}`, LARGE_MS),
    ),
    ...COMBINATIONS.flatMap((filters, at) => combinedQueries(`combined filters ${at + 1}`, filters)),
    ...SORTS.map((sort) =>
      query(
        `middle page of findings by ${sort}`,
        `/findings?sort=${sort}&page[number]=${Math.ceil(pages / 2)}`,
        MIDDLE_PAGE_MS,
      ),
    ),
    ...SORTS.map((sort) =>
      query(
        `findings by ${sort} from the middle`,
        `/findings?sort=${sort}&page[position]=0.5`,
        MIDDLE_PAGE_MS,
      ),
    ),
  ];
}

function query(name: string, path: string, targetMs = SIMPLE_MS): Query {
  return { name, path, targetMs };
}

function combinedQueries(name: string, filters: string): readonly Query[] {
  return [
    query(name, `/findings?${filters}`, LARGE_MS),
    query(`${name} by last_seen_at`, `/findings?${filters}&sort=last_seen_at`, LARGE_MS),
    query(`${name}, facets`, `/findings/summary?${filters}`, LARGE_MS),
  ];
}

async function readFirstPage(client: Client): Promise<{ finding: Finding; pages: number }> {
  const all = await client.get<readonly Finding[]>('/findings');
  const failing = await client.get<readonly Finding[]>(
    '/findings?filter[provider_type]=aws&filter[status]=FAIL',
  );
  const finding = failing.body.data?.find(({ attributes }) => attributes.region !== null);
  if (finding === undefined) throw new Error('The tenant has no failing AWS finding');
  return { finding, pages: all.body.meta.pagination.pages };
}

/** One value for each filter. */
function filtersOf({ attributes, relationships }: Finding) {
  const { account, service, region, check_id, categories, resource, severity } = attributes;
  return {
    status: 'FAIL',
    severity,
    provider: relationships.provider.data.id,
    provider_type: 'aws',
    account,
    service: service ?? '',
    region: region ?? '',
    resource_type: resource.type ?? '',
    check_id,
    category: categories[0] ?? '',
    delta: 'changed',
    muted: 'true',
    product: 'Findings Generator',
    search: SEARCHES['a word in check titles'],
  };
}
