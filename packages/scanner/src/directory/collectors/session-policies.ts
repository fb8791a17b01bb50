import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read-result.ts';
import type { SessionPolicy, SessionRule } from '../snapshot.ts';
import { flag, network, number, part, ranked, rankedShape, text } from './fields.ts';
import { readPoliciesWithRules } from './policies.ts';

const policySchema = z.object(rankedShape).transform(ranked);

const ruleSchema = z
  .object({
    ...rankedShape,
    actions: part({
      signon: part({
        access: text,
        session: part({
          maxSessionIdleMinutes: number,
          maxSessionLifetimeMinutes: number,
          usePersistentCookie: flag,
        }),
      }),
    }),
    conditions: part({ network }),
  })
  .transform(
    (rule): SessionRule => ({
      ...ranked(rule),
      access: rule.actions.signon.access,
      ...rule.actions.signon.session,
      network: rule.conditions.network,
    }),
  );

/** The global session policies with their rules. */
export function readSessionPolicies(api: ManagementApi): Promise<Read<readonly SessionPolicy[]>> {
  return readPoliciesWithRules(api, api.dialect.sessionPolicyType, policySchema, ruleSchema);
}
