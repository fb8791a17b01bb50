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
  description: 'What one upload brought of one provider under one scan id of its records',
  attributes: {
    uid: z.string().nullable().meta({ description: 'The scan id in the records; null: they name none' }),
    started_at: timestamp.meta({ description: 'The time of its earliest record' }),
    ended_at: timestamp.meta({ description: 'The time of its latest record' }),
    inserted_at: timestamp.meta({ description: 'When the upload that brought it was accepted' }),
    records: count.meta({ description: 'Good records; all other counts of records are among them' }),
    failed: count.meta({ description: 'Records that are FAIL and not muted' }),
    muted: count.meta({ description: 'Records that are muted, whatever their status' }),
    by_status: z
      .strictObject({ PASS: count, FAIL: count, MANUAL: count })
      .meta({ description: 'All records, muted or not' }),
    by_severity: bySeverity('All records, muted or not'),
    failed_by_severity: bySeverity('Records that are FAIL and not muted'),
    new: count.meta({ description: 'Findings that no earlier upload had' }),
    changed: count.meta({ description: 'Findings whose status differs from that in the upload before' }),
  },
  relationships: { provider: 'providers', ingestion: 'ingestions' },
});

/** A scan as a resource object. */
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
