import type { PasswordPolicy } from '../../../src/directory/snapshot.ts';

/** A policy that passes all ten checks, with each value at its limit. */
export function passwordPolicy(fields: Partial<PasswordPolicy> = {}): PasswordPolicy {
  return {
    id: 'pol-default',
    name: 'Default Policy',
    priority: 1,
    status: 'ACTIVE',
    system: true,
    authProvider: 'OKTA',
    minLength: 15,
    minUpperCase: 1,
    minLowerCase: 1,
    minNumber: 1,
    minSymbol: 1,
    minAgeMinutes: 1440,
    maxAgeDays: 60,
    historyCount: 5,
    maxAttempts: 3,
    excludeCommonPasswords: true,
    ...fields,
  };
}
