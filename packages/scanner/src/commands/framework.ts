import type { Dialect } from '../directory/dialect.ts';

/** The one framework that the checks are taken from: `Directory-IDaaS-STIG-V1R2`. */
export function frameworkOf({ stigFramework }: Dialect): string {
  return `${stigFramework}-V1R2`;
}
