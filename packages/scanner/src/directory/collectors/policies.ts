import type { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import { type Read, read } from '../read-result.ts';
import type { Ranked } from '../snapshot.ts';
import { byPriority, mapRead } from './fields.ts';

/** All policies of a type with their rules, both in evaluation order. */
export async function readPoliciesWithRules<Policy extends Ranked, Rule extends Ranked>(
  api: ManagementApi,
  type: string,
  policySchema: z.ZodType<Policy>,
  ruleSchema: z.ZodType<Rule>,
): Promise<Read<readonly (Policy & { readonly rules: Read<readonly Rule[]> })[]>> {
  const policies = await readPolicies(api, type, policySchema);
  if (policies.kind === 'unread') return policies;
  return read(
    await Promise.all(
      policies.value.map(async (policy) => ({
        ...policy,
        rules: await readPolicyRules(api, policy.id, ruleSchema),
      })),
    ),
  );
}

/** All policies of a type in evaluation order. */
export async function readPolicies<Policy extends Ranked>(
  api: ManagementApi,
  type: string,
  schema: z.ZodType<Policy>,
): Promise<Read<readonly Policy[]>> {
  const query = { type, limit: '200' };
  const policies = await api.list({
    path: '/api/v1/policies',
    query,
    scope: 'policies',
    isFeature: true,
    schema,
  });
  return mapRead(policies, byPriority);
}

/** All rules of a policy in evaluation order. A deleted policy is an error, not an empty list. */
export async function readPolicyRules<Rule extends Ranked>(
  api: ManagementApi,
  policyId: string,
  schema: z.ZodType<Rule>,
): Promise<Read<readonly Rule[]>> {
  const path = `/api/v1/policies/${encodeURIComponent(policyId)}/rules`;
  const rules = await api.list({
    path,
    query: { limit: '100' },
    scope: 'policies',
    isFeature: false,
    schema,
  });
  return mapRead(rules, byPriority);
}
