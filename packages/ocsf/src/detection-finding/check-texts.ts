import { isObject, optionalLabel, optionalObject, optionalText, optionalTexts } from './fields.ts';
import type { Warn } from './problems.ts';

/** The description of a check. It is the same in all findings of the check. */
export interface CheckTexts {
  readonly title: string | null;
  readonly description: string | null;
  readonly risk: string | null;
  readonly remediation: string | null;
  readonly references: readonly string[];
  readonly categories: readonly string[];
  /** The requirements of compliance frameworks, each after its framework: `CIS-1.5 1.20`. */
  readonly compliance: readonly string[];
}

/**
 * Reads the description of a record's check. This is separate from reading the finding: the description makes up most
 * of a record and is the same in every record of the check, so reading it once per check is enough.
 */
export function readCheckTexts(record: unknown, warn: Warn): CheckTexts {
  const fields = isObject(record) ? record : {};
  const info = optionalObject(fields.finding_info, '/finding_info', warn);
  const remediation = optionalObject(fields.remediation, '/remediation', warn);
  // `readDetectionFinding` has already warned if this is not an object.
  const unmapped = isObject(fields.unmapped) ? fields.unmapped : {};
  return {
    title: optionalText(info.title, '/finding_info/title', warn),
    description: optionalText(info.desc, '/finding_info/desc', warn),
    risk: optionalText(fields.risk_details, '/risk_details', warn),
    remediation: optionalText(remediation.desc, '/remediation/desc', warn),
    references: optionalTexts(remediation.references, '/remediation/references', warn),
    categories: optionalTexts(unmapped.categories, '/unmapped/categories', warn, optionalLabel),
    compliance: readCompliance(unmapped.compliance, warn),
  };
}

/** Reads an object with the requirements of each framework. */
function readCompliance(value: unknown, warn: Warn): readonly string[] {
  const pointer = '/unmapped/compliance';
  return Object.entries(optionalObject(value, pointer, warn)).flatMap(([framework, requirements]) =>
    optionalTexts(
      requirements,
      `${pointer}/${framework.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      warn,
    ).map((requirement) => `${framework} ${requirement}`),
  );
}
