import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read-result.ts';
import type { LifecyclePolicy, LifecycleRule } from '../snapshot.ts';
import { number, part, ranked, rankedShape, text, texts } from './fields.ts';
import { readPoliciesWithRules } from './policies.ts';

const policySchema = z
  .object({
    ...rankedShape,
    conditions: part({
      people: part({
        users: part({ inactivity: part({ number, unit: text }) }),
        groups: part({ include: texts }),
      }),
    }),
  })
  .transform((policy): Omit<LifecyclePolicy, 'rules'> => {
    const { users, groups } = policy.conditions.people;
    const inDays = /^days?$/i.test(users.inactivity.unit ?? '');
    return {
      ...ranked(policy),
      inactivityDays: inDays && Number.isInteger(users.inactivity.number) ? users.inactivity.number : null,
      groups: groups.include.filter((group) => group !== ''),
    };
  });

const ruleSchema = z
  .object({
    ...rankedShape,
    actions: part({
      updateUserLifecycle: part({ targetStatus: text }),
      // The vendor's SDK uses this name for the same action.
      userLifecycle: part({ action: text, status: text }),
    }),
  })
  .transform(
    (rule): LifecycleRule => ({
      ...ranked(rule),
      targetStatus:
        rule.actions.updateUserLifecycle.targetStatus ??
        rule.actions.userLifecycle.action ??
        rule.actions.userLifecycle.status,
    }),
  );

/** The lifecycle policies for inactive users, with their rules. */
export function readLifecyclePolicies(api: ManagementApi): Promise<Read<readonly LifecyclePolicy[]>> {
  return readPoliciesWithRules(api, 'USER_LIFECYCLE', policySchema, ruleSchema);
}
