import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { STATUSES } from './filters.ts';
import type { GroupLabel } from './group-labels.ts';

const FINDING_GROUPS = 'finding-groups';

/** The values of `by`. */
export const GROUP_BY = ['check', 'resource', 'account', 'service', 'region'] as const;
export type Grouping = (typeof GROUP_BY)[number];

const count = (description: string) => z.int().min(0).meta({ description });
const text = (description: string) => z.string().nullable().meta({ description });
const FAILING = 'failing findings (status FAIL, not muted)';

export const findingGroups = describeResource({
  type: FINDING_GROUPS,
  description:
    'Counts of the findings that match the filters in the request and have the same value of `by`.',
  id: z.string().meta({ description: 'Identifies the group.' }),
  attributes: {
    by: z.enum(GROUP_BY).meta({ description: 'The property by which the findings are grouped.' }),
    name: text(
      'Title of the check, name of the resource, alias or ID of the account, service or region. `null` for findings without a resource, service or region.',
    ),
    check: z
      .strictObject({
        id: z.string().meta({ description: 'ID of the check in this API.' }),
        check_id: z.string().meta({ description: 'Check ID assigned by the scanner.' }),
        provider_type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
        title: text('Title of the check.'),
        severity: z.enum(SEVERITIES).nullable().meta({
          description: 'Highest severity of the findings; `other` only if all of them have it.',
        }),
      })
      .meta({ description: 'Present if `by` is `check`.' }),
    resource: z
      .strictObject({
        id: z.uuid().meta({ description: 'ID of the resource in this API.' }),
        uid: z.string().meta({ description: 'Resource ID assigned by the provider.' }),
        name: text('Name of the resource.'),
        type: text('Type of the resource.'),
      })
      .nullable()
      .meta({ description: 'Present if `by` is `resource`. `null` for findings without a resource.' }),
    account: z
      .strictObject({
        id: z.uuid().meta({ description: 'ID of the provider.' }),
        provider_type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
        account: z.string().meta({ description: 'Account ID assigned by the provider.' }),
        alias: text('Alias of the provider. `null` if no alias is set.'),
      })
      .meta({ description: 'Present if `by` is `account`.' }),
    total: count('Number of findings.'),
    failing: count('Number of findings with the status FAIL that are not muted.'),
    muted: count('Number of muted findings.'),
    by_severity: z
      .strictObject(Object.fromEntries(SEVERITIES.map((name) => [name, z.int().min(0)])))
      .meta({ description: `Number of ${FAILING} by severity.` }),
    by_status: z
      .strictObject(Object.fromEntries(STATUSES.map((name) => [name, z.int().min(0)])))
      .meta({ description: 'Number of findings by status, including muted findings.' }),
    accounts: count(`Number of accounts with ${FAILING}.`),
    resources: count(`Number of resources with ${FAILING}.`),
    oldest_failing_at: timestamp.nullable().meta({
      description: 'Earliest `status_changed_at` of the failing findings. `null` if there are none.',
    }),
  },
  nullableLinks: ['findings'],
});

/** Columns with the number of failing findings by severity. */
export const severityColumn = (name: string) => `severity_${name}`;
/** Columns with the number of findings by status. */
export const statusColumn = (name: string) => `status_${name.toLowerCase()}`;

/** The counts of a group; `severity_...` and `status_...` are further columns. */
export interface GroupRow extends Readonly<Record<string, unknown>> {
  /** The group's check key, resource key, provider id, service or region. */
  readonly key: string | null;
  readonly total: number;
  readonly failing: number;
  readonly muted: number;
  readonly severity: number;
  readonly accounts?: number;
  readonly resources?: number;
  readonly oldest_failing_at?: string | null;
}

/** A group with its label and the filters that select its findings. */
export interface LabeledGroup {
  readonly by: Grouping;
  readonly row: GroupRow;
  readonly label: GroupLabel;
  readonly filters: ReadonlyMap<string, string>;
}

/** Converts a group to a resource object. */
export function findingGroupResource(
  { by, row, label, filters }: LabeledGroup,
  publicUrl: string,
  fields?: ReadonlySet<string>,
) {
  const numberOf = (column: string) => Number(row[column] ?? 0);
  const { total, failing, muted, accounts, resources, oldest_failing_at } = row;
  const attributes = {
    by,
    name: label.name,
    ...label.attributes,
    total,
    failing,
    muted,
    by_severity: Object.fromEntries(SEVERITIES.map((name) => [name, numberOf(severityColumn(name))])),
    by_status: Object.fromEntries(STATUSES.map((name) => [name, numberOf(statusColumn(name))])),
    ...(accounts !== undefined && { accounts }),
    ...(resources !== undefined && { resources }),
    ...(oldest_failing_at !== undefined && { oldest_failing_at }),
  };
  const parameters = findingParameters(filters, label);
  const related = parameters === undefined ? null : `${publicUrl}${API_PREFIX}/findings?${parameters}`;
  return {
    type: FINDING_GROUPS,
    id: label.id,
    attributes: selectFields(attributes, fields),
    relationships: { findings: { links: { related } } },
  };
}

const RESOURCE = 'filter[resource]';
const RESOURCE_IN = 'filter[resource__in]';

/**
 * The filters that select the findings of a group; `undefined` if there are none. The group's own filters replace those
 * of the request, which they imply. Only resources are different: a finding can name both the requested one and the
 * group's.
 */
function findingParameters(
  filters: ReadonlyMap<string, string>,
  label: GroupLabel,
): URLSearchParams | undefined {
  const parameters = new Map([...filters, ...Object.entries(label.filters)]);
  const requested = filters.get(RESOURCE);
  const own = label.filters[RESOURCE];
  if (requested !== undefined && own !== undefined && requested.toLowerCase() !== own) {
    if (parameters.has(RESOURCE_IN)) return undefined;
    parameters.set(RESOURCE_IN, requested);
  }
  return new URLSearchParams([...parameters]);
}
