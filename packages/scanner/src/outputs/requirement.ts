import type { CheckMetadata } from '../checks/check.ts';
import type { ScanInfo } from '../finding.ts';

type Prefix = Pick<ScanInfo, 'stigPrefix'>;

/** The requirement in the words of the scanned directory: `DIRECTORY-APP-000020`. */
export function requirementId({ stig }: CheckMetadata, { stigPrefix }: Prefix): string {
  return `${stigPrefix}-APP-${stig.requirement}`;
}

/** `CAT I (High)`, `CAT II (Medium)`: the sections of the STIG. */
export function requirementSection({ stig }: CheckMetadata): string {
  return stig.category === 'CAT I' ? 'CAT I (High)' : 'CAT II (Medium)';
}

/** `CCI-000057` for each control correlation identifier. */
export function controlIds({ stig }: CheckMetadata): string[] {
  return stig.ccis.map((number) => `CCI-${number}`);
}
