import { isObject, optionalLabel, optionalObject, optionalText, optionalTexts } from './fields.ts';
import type { Warn } from './warning.ts';

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
export function readCheckTexts(record: unknown, warn: Warn): CheckTexts {
  const fields = isObject(record) ? record : {};
  const info = optionalObject(fields.finding_info, '/finding_info', warn);
  const remediation = optionalObject(fields.remediation, '/remediation', warn);
  // `readDetectionFinding` has warned where it is no object.
  const unmapped = isObject(fields.unmapped) ? fields.unmapped : {};
  return {
    title: optionalText(info.title, '/finding_info/title', warn),
    description: optionalText(info.desc, '/finding_info/desc', warn),
    risk: optionalText(fields.risk_details, '/risk_details', warn),
    remediation: optionalText(remediation.desc, '/remediation/desc', warn),
    references: optionalTexts(remediation.references, '/remediation/references', warn),
    categories: optionalTexts(unmapped.categories, '/unmapped/categories', warn, optionalLabel),
  };
}
