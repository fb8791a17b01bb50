import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import type { AddressableType } from '../../http/endpoints/resource-type.ts';
import { API_PREFIX, VerbatimJson } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp, withAttributes } from '../../jsonapi/schemas.ts';
import { isUuid } from '../../jsonapi/uuid.ts';
import { checkKey } from '../../resources/check-key.ts';
import { STATES } from '../../resources/finding-state.ts';
import { storedSeverity } from '../../resources/stored-severity.ts';
import { DELTAS, STATUSES } from './filters.ts';
import type { FindingRow } from './repository.ts';

export const FINDINGS = 'findings';

export const FINDING: AddressableType = { isId: isUuid, notFoundDetail: 'No finding has this ID.' };

const text = (description: string) => z.string().nullable().meta({ description });
const status = z.enum(STATUSES).meta({
  description: '`PASS`, `FAIL`, or `MANUAL` if the check requires a manual review.',
});

/** A finding as returned in lists. */
export const findings = describeResource({
  type: FINDINGS,
  description: 'The current result of a check for a resource.',
  attributes: {
    uid: z.string().meta({ description: 'Finding ID assigned by the scanner. Not necessarily unique.' }),
    check_id: z.string().meta({ description: 'Check ID assigned by the scanner.' }),
    check_title: text('Title of the check.'),
    severity: z.enum(SEVERITIES).meta({
      description:
        'Severity of the finding: `unknown` if the record has none, `other` if it is not an OCSF severity.',
    }),
    state: z.enum(STATES).meta({
      description:
        '`open`, or `resolved` if an upload that is complete for the finding (`coverage`) does not contain it and is newer than its latest record, or if a user has resolved the findings of its product since.',
    }),
    status,
    status_detail: text("The scanner's explanation of the status."),
    muted: z.boolean().meta({ description: 'Whether the finding is muted.' }),
    delta: z.enum(DELTAS).meta({
      description:
        'Change since the previous upload: the finding is `new`, its status has `changed`, or it is `unchanged`.',
    }),
    resource: z
      .strictObject({
        uid: text('Resource ID assigned by the provider.'),
        name: text('Name of the resource.'),
        type: text('Type of the resource.'),
      })
      .meta({ description: 'The resource that was checked.' }),
    region: text('Region of the resource.'),
    service: text('Service that the resource belongs to.'),
    product: text('Product that reported the finding.'),
    provider_type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
    account: z.string().meta({ description: 'Account ID assigned by the provider.' }),
    categories: z.array(z.string()).meta({ description: 'Categories of the check.' }),
    first_seen_at: timestamp.meta({ description: 'Time of the first record of this finding.' }),
    last_seen_at: timestamp.meta({ description: 'Time of the latest record of this finding.' }),
    status_changed_at: timestamp.meta({
      description: 'Time of the first known record with the current status.',
    }),
    resolved_at: timestamp.nullable().meta({
      description:
        'Time of the first upload that resolved the finding: its earliest record of the same account and product, and of the same check if the upload is complete for checks only. If a user resolved it, the time of the request. `null` for open findings.',
    }),
    previous: z
      .strictObject({
        status,
        seen_at: timestamp.meta({
          description: 'Time of the latest record of this finding in the previous upload.',
        }),
      })
      .nullable()
      .meta({
        description:
          'Status in the previous upload that contained this finding. `null` if there is no such upload.',
      }),
  },
  relationships: {
    provider: 'providers',
    check: 'checks',
    scan: 'scans',
    ingestion: 'ingestions',
    resolved_by: 'ingestions',
    resource: 'resources',
  },
});

const raw = z.instanceof(VerbatimJson).meta({
  override: {
    type: 'object',
    additionalProperties: true,
    description:
      'The OCSF record exactly as it was submitted, byte for byte. Most JSON parsers do not preserve its duplicate keys, number formats and whitespace.',
  },
});

/** A finding with its record, as returned by the endpoint for a single finding. */
export const findingWithRecord = withAttributes(
  findings,
  'FindingWithRecord',
  'A finding and its OCSF record.',
  { raw },
);

/** Converts a finding to a resource object, including its record if present. */
export function findingResource(
  row: FindingRow,
  publicUrl: string,
  fields?: ReadonlySet<string>,
  record?: VerbatimJson,
) {
  const { uid, check_id, check_title, status, status_detail, muted, delta, region, service, product } = row;
  const { provider_type, account, categories, first_seen_at, last_seen_at, status_changed_at } = row;
  const attributes = {
    uid,
    check_id,
    check_title,
    severity: storedSeverity(row.severity),
    state: row.resolved_at === null ? 'open' : 'resolved',
    status,
    status_detail,
    muted,
    delta,
    resource: { uid: row.resource_uid, name: row.resource_name, type: row.resource_type },
    region,
    service,
    product,
    provider_type,
    account,
    categories,
    first_seen_at,
    last_seen_at,
    status_changed_at,
    resolved_at: row.resolved_at,
    previous:
      row.previous_status === null ? null : { status: row.previous_status, seen_at: row.previous_seen_at },
    ...(record !== undefined && { raw: record }),
  };
  const base = `${publicUrl}${API_PREFIX}`;
  const relation = (type: string, id: string) => ({
    data: { type, id },
    links: { related: `${base}/${type}/${encodeURIComponent(id)}` },
  });
  const { provider, check, scan } = relatedIds(row);
  return {
    type: FINDINGS,
    id: row.id,
    attributes: selectFields(attributes, fields),
    relationships: {
      provider: relation('providers', provider),
      check: relation('checks', check),
      scan: relation('scans', scan),
      ingestion: relation('ingestions', row.ingestion_id),
      resolved_by: row.resolved_by === null ? { data: null } : relation('ingestions', row.resolved_by),
      resource: row.resource_id === null ? { data: null } : relation('resources', row.resource_id),
    },
    links: { self: `${base}/${FINDINGS}/${row.id}` },
  };
}

/** Returns the ids of the related resources that `include` supports. */
export function relatedIds(row: FindingRow): Readonly<Record<'provider' | 'check' | 'scan', string>> {
  return { provider: row.provider_id, check: checkKey(row), scan: row.scan_id };
}
