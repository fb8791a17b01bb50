import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read-result.ts';
import type { PasswordPolicy } from '../snapshot.ts';
import { flag, number, part, ranked, rankedShape, text } from './fields.ts';
import { readPolicies } from './policies.ts';

const policySchema = z
  .object({
    ...rankedShape,
    conditions: part({ authProvider: part({ provider: text }) }),
    settings: part({
      password: part({
        complexity: part({
          minLength: number,
          minUpperCase: number,
          minLowerCase: number,
          minNumber: number,
          minSymbol: number,
          dictionary: part({ common: part({ exclude: flag }) }),
        }),
        age: part({ minAgeMinutes: number, maxAgeDays: number, historyCount: number }),
        lockout: part({ maxAttempts: number }),
      }),
    }),
  })
  .transform((policy): PasswordPolicy => {
    const { complexity, age, lockout } = policy.settings.password;
    const { dictionary, ...minimums } = complexity;
    return {
      ...ranked(policy),
      authProvider: policy.conditions.authProvider.provider,
      ...minimums,
      ...age,
      ...lockout,
      excludeCommonPasswords: dictionary.common.exclude,
    };
  });

/** The password policies. The settings are part of the policies, not of their rules. */
export function readPasswordPolicies(api: ManagementApi): Promise<Read<readonly PasswordPolicy[]>> {
  return readPolicies(api, 'PASSWORD', policySchema);
}
