import { DIALECTS, type Dialect } from '../directory/dialect.ts';

/** The name of the STIG: `Directory-IDaaS-STIG-V1R2`, or `Okta-IDaaS-STIG-1R2` as in other Okta scanners. */
export function frameworkOf({ name, stigFramework }: Dialect): string {
  return `${stigFramework}-${name === 'okta' ? '1R2' : 'V1R2'}`;
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
  return isKnown ? frameworkOf(dialect) : word;
}
