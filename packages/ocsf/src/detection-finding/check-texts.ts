import { isObject, objectAt, optionalText, optionalTexts } from './fields.ts';

/** What the check says of itself; the same for every finding of one check. */
export interface CheckTexts {
  readonly title: string | null;
  readonly description: string | null;
  readonly risk: string | null;
  readonly remediation: string | null;
  readonly references: readonly string[];
  readonly categories: readonly string[];
}

/**
 * The texts of the check that a record names. Apart from the finding, because a file repeats them in every
 * record: they are most of its text, and one record of each check is enough to read them from.
 */
export function readCheckTexts(record: unknown): CheckTexts {
  const fields = isObject(record) ? record : {};
  const info = objectAt(fields, 'finding_info');
  const remediation = objectAt(fields, 'remediation');
  return {
    title: optionalText(info.title),
    description: optionalText(info.desc),
    risk: optionalText(fields.risk_details),
    remediation: optionalText(remediation.desc),
    references: optionalTexts(remediation.references),
    categories: optionalTexts(objectAt(fields, 'unmapped').categories),
  };
}
