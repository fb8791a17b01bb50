import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { AccessPolicy, AccessRule } from '../snapshot.ts';
import { network, part, text } from './fields.ts';
import { readPolicyRules } from './policy-rules.ts';
import { ranked, rankedShape } from './ranked.ts';

const constraintSchema = part({ possession: part({ phishingResistant: text }) });

const ruleSchema = z
  .object({
    ...rankedShape,
    actions: part({
      appSignOn: part({
        access: text,
        verificationMethod: part({ factorMode: text, constraints: z.array(constraintSchema).catch([]) }),
      }),
    }),
    conditions: part({ network }),
  })
  .transform((rule): AccessRule => {
    const { access, verificationMethod } = rule.actions.appSignOn;
    return {
      ...ranked(rule),
      access,
      factorMode: verificationMethod.factorMode,
      phishingResistant: verificationMethod.constraints.map(({ possession }) => possession.phishingResistant),
      network: rule.conditions.network,
    };
  });

/** The sign-on policies of apps. Thousands of apps share a few of them, and each is read once. */
export class AccessPolicies {
  readonly #api: ManagementApi;
  readonly #read = new Map<string, Promise<AccessPolicy>>();

  constructor(api: ManagementApi) {
    this.#api = api;
  }

  get(policyId: string): Promise<AccessPolicy> {
    const known = this.#read.get(policyId);
    if (known !== undefined) return known;
    const policy = readPolicyRules(this.#api, policyId, ruleSchema).then((rules) => ({
      id: policyId,
      rules,
    }));
    this.#read.set(policyId, policy);
    return policy;
  }
}
