import compliant from '../../organizations/compliant.json' with { type: 'json' };
import mixed from '../../organizations/mixed.json' with { type: 'json' };
import nonCompliant from '../../organizations/non-compliant.json' with { type: 'json' };
import { largeOrganization } from './large-organization.ts';
import type { Organization } from './organization.ts';

export const ORGANIZATION_NAMES = ['compliant', 'non-compliant', 'mixed', 'large'] as const;
export type OrganizationName = (typeof ORGANIZATION_NAMES)[number];

/** Returns a new copy of an organization on each call. */
export function readOrganization(name: OrganizationName): Organization {
  switch (name) {
    case 'compliant':
      return structuredClone(compliant);
    case 'non-compliant':
      return structuredClone(nonCompliant);
    case 'mixed':
      return structuredClone(mixed);
    case 'large':
      return largeOrganization({ apps: 5000, tokens: 2000, seed: 1 });
  }
}
