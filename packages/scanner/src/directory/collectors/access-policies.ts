import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { AccessPolicy, AccessRule, AuthenticationMethod, ChainStep } from '../snapshot.ts';
import { accessConditions, activeConditions } from './access-conditions.ts';
import { part, ranked, rankedShape, text } from './fields.ts';
import { readPolicyRules } from './policies.ts';

const constraintSchema = part({ possession: part({ phishingResistant: text }) });

const methodSchema: z.ZodType<AuthenticationMethod> = z.object({
  key: text,
  method: text,
  phishingResistant: text,
  userVerification: text,
});

/** An unreadable step must not be skipped, because that would change the strength of the chain. */
const stepSchema: z.ZodType<ChainStep> = z
  .object({
    authenticationMethods: z.array(methodSchema).min(1),
    get next() {
      return z.array(stepSchema).nullish();
    },
  })
  .transform(({ authenticationMethods, next }) => ({ methods: authenticationMethods, next: next ?? [] }));

const ruleSchema = z
  .object({
    ...rankedShape,
    actions: part({
      appSignOn: part({
        access: text,
        verificationMethod: part({
          type: text,
          factorMode: text,
          constraints: z.array(constraintSchema).catch([]),
          chains: z.array(stepSchema).min(1).nullable().catch(null),
        }),
      }),
    }),
    conditions: accessConditions,
  })
  .transform((rule): AccessRule => {
    const { access, verificationMethod } = rule.actions.appSignOn;
    const { type, factorMode, constraints, chains } = verificationMethod;
    return {
      ...ranked(rule),
      access,
      verificationType: type,
      factorMode,
      phishingResistant: constraints.map(({ possession }) => possession.phishingResistant),
      chains,
      network: rule.conditions.network,
      conditions: activeConditions(rule.conditions),
    };
  });

/** The sign-on policies of apps, cached because thousands of apps share a few policies. */
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
