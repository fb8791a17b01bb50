import { SEVERITIES, severityName } from '@sluice/ocsf';
import { z } from 'zod';
import { checkKey } from '../../ingest/merge/check-key.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import type { CheckRow } from './repository.ts';

export const CHECKS = 'checks';

const count = z.int().min(0);
const text = (description: string) => z.string().nullable().meta({ description });

export const checks = describeResource({
  type: CHECKS,
  description: 'A security check. Its text attributes are taken from its latest record.',
  id: z.string().meta({
    description:
      'Provider type and check ID, separated by a dot. In the provider type, `%` is encoded as `%25` and `.` as `%2E`.',
  }),
  attributes: {
    provider_type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
    check_id: z.string().meta({ description: 'Check ID assigned by the scanner.' }),
    title: text('Title of the check.'),
    description: text('Description of the check.'),
    risk: text('Risk if the check fails.'),
    remediation: text('How to resolve a failed check.'),
    references: z.array(z.string()).meta({ description: 'URLs with further information.' }),
    categories: z.array(z.string()).meta({ description: 'Categories of the check.' }),
    severity: z.enum(SEVERITIES).nullable().meta({
      description:
        'Highest severity of its findings; `other` only if all of its findings have the severity `other`. `null` if no provider has findings for this check.',
    }),
    findings: z
      .strictObject({
        total: count.meta({ description: 'Number of findings.' }),
        failing: count.meta({ description: 'Number of findings with the status FAIL that are not muted.' }),
      })
      .meta({ description: 'Finding counts for this check.' }),
  },
  links: ['findings'],
});

/** Converts a check to a resource object. */
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
