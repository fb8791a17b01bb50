import { SEVERITIES, severityName } from '@sluice/ocsf';
import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { checkKey } from './check-key.ts';
import type { CheckRow } from './repository.ts';

export const CHECKS = 'checks';

const count = z.int().min(0);
const text = z.string().nullable();

export const checks = describeResource({
  type: CHECKS,
  description: 'What findings were judged by; its texts are those of its newest record',
  id: z.string().meta({
    description:
      'provider_type and check_id with a dot between them; in provider_type % is written as %25 and . as %2E',
  }),
  attributes: {
    provider_type: z.string(),
    check_id: z.string(),
    title: text,
    description: text,
    risk: text,
    remediation: text,
    references: z.array(z.string()),
    categories: z.array(z.string()),
    severity: z.enum(SEVERITIES).nullable().meta({
      description:
        'The highest of its findings (other: they have nothing else); null: it has no findings of a live provider',
    }),
    findings: z.strictObject({
      total: count,
      failing: count.meta({ description: 'Those with the status FAIL that are not muted' }),
    }),
  },
  links: ['findings'],
});

/** A check as a resource object. */
export function checkResource(row: CheckRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { counts, ...texts } = row;
  const id = checkKey(row);
  const filter = new URLSearchParams({
    'filter[provider_type]': row.provider_type,
    'filter[check_id]': row.check_id,
  });
  return {
    type: CHECKS,
    id,
    attributes: selectFields({ ...texts, ...(counts && countedAttributes(counts)) }, fields),
    relationships: { findings: { links: { related: `${publicUrl}${API_PREFIX}/findings?${filter}` } } },
    links: { self: `${publicUrl}${API_PREFIX}/${CHECKS}/${encodeURIComponent(id)}` },
  };
}

function countedAttributes({ total, failing, severity }: NonNullable<CheckRow['counts']>) {
  return { severity: severity === null ? null : severityName(severity), findings: { total, failing } };
}
