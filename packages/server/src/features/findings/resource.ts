import { SEVERITIES, severityName } from '@sluice/ocsf';
import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, type ResourceDescription, timestamp } from '../../jsonapi/schemas.ts';
import { VerbatimJson } from '../../jsonapi/verbatim-json.ts';
import { checkKey } from '../checks/check-key.ts';
import { scanId } from '../scans/scan-id.ts';
import { DELTAS, STATUSES } from './filters.ts';
import type { FindingRow } from './repository.ts';

export const FINDINGS = 'findings';

const text = z.string().nullable();

/** A finding as lists show it. */
export const findings = describeResource({
  type: FINDINGS,
  description: 'The current state of what one check found about one resource',
  attributes: {
    uid: z.string().meta({ description: 'As the scanner named it; not always unique' }),
    check_id: z.string(),
    check_title: text,
    severity: z.enum(SEVERITIES).meta({
      description: 'unknown: the record named none. other: one of the scanner that OCSF has no word for',
    }),
    status: z.enum(STATUSES),
    status_detail: text.meta({ description: 'Why it has this status, in words of the scanner' }),
    muted: z.boolean(),
    delta: z.enum(DELTAS).meta({
      description: 'Against the upload before: whether the finding is new, or its status has changed',
    }),
    resource: z.strictObject({ uid: text, name: text, type: text }),
    region: text,
    service: text,
    provider_type: z.string(),
    account: z.string().meta({ description: 'As the provider names it' }),
    categories: z.array(z.string()).meta({ description: 'Of the check' }),
    first_seen_at: timestamp,
    last_seen_at: timestamp,
    status_changed_at: timestamp.meta({
      description: 'Since when it has had its status, as far as is known',
    }),
    previous: z
      .strictObject({ status: z.enum(STATUSES), seen_at: timestamp })
      .nullable()
      .meta({ description: 'What it was in the upload before, and when; null: no upload before had it' }),
  },
  relationships: { provider: 'providers', check: 'checks', scan: 'scans', ingestion: 'ingestions' },
});

const raw = z.instanceof(VerbatimJson).meta({
  override: {
    type: 'object',
    additionalProperties: true,
    description:
      'The record as it was submitted, byte for byte: with its repeated keys, spellings of numbers and white space, which most JSON parsers drop',
  },
});

/** A finding by itself: with its record. */
export const findingWithRecord: ResourceDescription = {
  type: FINDINGS,
  attributes: [...findings.attributes, 'raw'],
  schema: withRaw(findings.schema),
};

function withRaw(schema: z.ZodType): z.ZodType {
  const attributes = schema instanceof z.ZodObject ? schema.shape.attributes : undefined;
  if (!(schema instanceof z.ZodObject) || !(attributes instanceof z.ZodObject))
    throw new TypeError('the schema of a resource is no object with attributes');
  const withRecord = attributes.extend({ raw: raw.optional() }).meta({
    id: 'FindingWithRecordAttributes',
    description: `All of them, or those that fields[${FINDINGS}] names`,
  });
  return schema
    .extend({ attributes: withRecord })
    .meta({ id: 'FindingWithRecord', description: 'A finding and the record that it was read from' });
}

/** A finding as a resource object; with its record where that is given. */
export function findingResource(
  row: FindingRow,
  publicUrl: string,
  fields?: ReadonlySet<string>,
  record?: VerbatimJson,
) {
  const { uid, check_id, check_title, status, status_detail, muted, delta, region, service } = row;
  const { provider_type, account, categories, first_seen_at, last_seen_at, status_changed_at } = row;
  const attributes = {
    uid,
    check_id,
    check_title,
    severity: severityName(row.severity),
    status,
    status_detail,
    muted,
    delta,
    resource: { uid: row.resource_uid, name: row.resource_name, type: row.resource_type },
    region,
    service,
    provider_type,
    account,
    categories,
    first_seen_at,
    last_seen_at,
    status_changed_at,
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
    },
    links: { self: `${base}/${FINDINGS}/${row.id}` },
  };
}

/** The ids of what `include` can bring along. */
export function relatedIds(row: FindingRow): Readonly<Record<'provider' | 'check' | 'scan', string>> {
  return {
    provider: row.provider_id,
    check: checkKey(row),
    scan: scanId(row.ingestion_id, row.provider_id, row.scan_uid),
  };
}
