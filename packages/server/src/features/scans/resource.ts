import { SEVERITIES, type SeverityName } from '@sluice/ocsf';
import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import type { ScanRow } from './repository.ts';

export const SCANS = 'scans';

const count = z.int().min(0);
const bySeverity = (description: string) => z.record(z.enum(SEVERITIES), count).meta({ description });

export const scans = describeResource({
  type: SCANS,
  description: 'The records in one upload that have the same provider and scan ID.',
  attributes: {
    uid: z
      .string()
      .nullable()
      .meta({ description: 'Scan ID in the records. `null` if the records have none.' }),
    started_at: timestamp.meta({ description: 'Time of the earliest record.' }),
    ended_at: timestamp.meta({ description: 'Time of the latest record.' }),
    inserted_at: timestamp.meta({ description: 'Time at which the upload was accepted.' }),
    records: count.meta({
      description: 'Number of valid records. The other record counts are subsets of this count.',
    }),
    failed: count.meta({ description: 'Number of records with the status FAIL that are not muted.' }),
    muted: count.meta({ description: 'Number of muted records, regardless of their status.' }),
    by_status: z
      .strictObject({ PASS: count, FAIL: count, MANUAL: count })
      .meta({ description: 'Number of records by status, including muted records.' }),
    by_severity: bySeverity('Number of records by severity, including muted records.'),
    failed_by_severity: bySeverity('Number of records with the status FAIL that are not muted, by severity.'),
    new: count.meta({ description: 'Number of findings that were not in any earlier upload.' }),
    changed: count.meta({
      description: 'Number of findings whose status changed since the previous upload.',
    }),
  },
  relationships: { provider: 'providers', ingestion: 'ingestions' },
});

/** Converts a scan to a resource object. */
export function scanResource(row: ScanRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const base = `${publicUrl}${API_PREFIX}`;
  const { uid, started_at, ended_at, inserted_at, records, failed, muted, pass, fail, manual } = row;
  const attributes = {
    uid,
    started_at,
    ended_at,
    inserted_at,
    records,
    failed,
    muted,
    by_status: { PASS: pass, FAIL: fail, MANUAL: manual },
    by_severity: eachSeverity((name) => row[`severity_${name}`]),
    failed_by_severity: eachSeverity((name) => row[`failed_${name}`]),
    new: row.new_findings,
    changed: row.changed_findings,
  };
  return {
    type: SCANS,
    id: row.id,
    attributes: selectFields(attributes, fields),
    relationships: {
      provider: relation('providers', row.provider_id, base),
      ingestion: relation('ingestions', row.ingestion_id, base),
    },
    links: { self: `${base}/${SCANS}/${row.id}` },
  };
}

function relation(type: string, id: string, base: string) {
  return { data: { type, id }, links: { related: `${base}/${type}/${id}` } };
}

function eachSeverity(countOf: (name: SeverityName) => number): Record<string, number> {
  return Object.fromEntries(SEVERITIES.map((name) => [name, countOf(name)]));
}
