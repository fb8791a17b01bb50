import type { CheckMetadata } from '../checks/check.ts';
import { STIG_LIMITS } from '../checks/stig-limits.ts';
import { DIALECTS, type Dialect } from '../directory/dialect.ts';
import type { Framework, Requirement } from './framework.ts';

/** DISA STIG for identity as a service (IDaaS), V1R2: each check evaluates one requirement. */
export const STIG: Framework = {
  name: stigName,
  title: 'DISA IDaaS STIG V1R2',
  phrase: 'the STIG',
  description: 'DISA STIG for identity as a service (IDaaS), version 1, release 2',
  sectionTitle: 'Category',
  attributes: ['SECTION', 'SEVERITY', 'RULEID', 'STIGID', 'GROUPID', 'CCI', 'CHECKTEXT', 'FIXTEXT'],
  limits: {
    maxSessionIdleMinutes: STIG_LIMITS.maxSessionIdleMinutes.max,
    maxSessionLifetimeMinutes: STIG_LIMITS.maxSessionLifetimeMinutes.max,
    adminConsoleMaxIdleMinutes: STIG_LIMITS.adminConsoleMaxIdleMinutes.max,
    maxInactivityDays: STIG_LIMITS.maxInactivityDays.max,
  },
  requirements: (check, dialect) => [requirementOf(check, dialect)],
};

/** The name of the STIG: `Directory-IDaaS-STIG-V1R2`, or `Okta-IDaaS-STIG-1R2` as in other Okta scanners. */
function stigName({ name, stigFramework }: Dialect): string {
  return `${stigFramework}-${name === 'okta' ? '1R2' : 'V1R2'}`;
}

function requirementOf(check: CheckMetadata, dialect: Dialect): Requirement {
  const id = stigId(check, dialect);
  const { group, rule, category } = check.stig;
  const section = stigSection(check);
  return {
    id,
    name: check.title,
    description: check.description,
    section,
    identifiers: [id, group],
    attributes: {
      SECTION: section,
      SEVERITY: category === 'CAT I' ? 'high' : 'medium',
      RULEID: rule,
      STIGID: id,
      GROUPID: group,
      CCI: controlIds(check).join(' | '),
      CHECKTEXT: `${check.description} ${check.notes}`.trim(),
      FIXTEXT: check.remediation,
    },
  };
}

/** The vendor-specific STIG ID, such as `DIRECTORY-APP-000020`. */
export function stigId({ stig }: CheckMetadata, { stigPrefix }: Dialect): string {
  return `${stigPrefix}-APP-${stig.requirement}`;
}

/** The category with its severity: `CAT I (High)` or `CAT II (Medium)`. */
export function stigSection({ stig }: CheckMetadata): string {
  return stig.category === 'CAT I' ? 'CAT I (High)' : 'CAT II (Medium)';
}

/** The control correlation identifiers with their prefix, such as `CCI-000057`. */
export function controlIds({ stig }: CheckMetadata): readonly string[] {
  return stig.ccis.map((number) => `CCI-${number}`);
}

/**
 * Converts any name of the STIG, with or without the `V`, to the vendor-specific name. Returns other words unchanged.
 */
export function frameworkName(word: string, dialect: Dialect): string {
  const names = Object.values(DIALECTS).flatMap(({ stigFramework }) => [
    `${stigFramework}-V1R2`,
    `${stigFramework}-1R2`,
  ]);
  const isKnown = names.some((name) => name.toLowerCase() === word.toLowerCase());
  return isKnown ? stigName(dialect) : word;
}
