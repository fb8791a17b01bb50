import type { AuthenticationMethod, ChainStep } from '../../directory/snapshot.ts';

/** What a user has proven at the end of one way through authentication method chains. */
export interface ProvenFactors {
  /** Different classes: a password and a security question are one. */
  readonly classes: ReadonlySet<FactorClass>;
  readonly phishingResistant: boolean;
  /** Methods of which is not known what they prove: `okta_new/beam`. */
  readonly unknown: ReadonlySet<string>;
  /** The methods in their order: `okta_password/password, then phone_number/sms`. */
  readonly methods: string;
}

/** `verification`: by the PIN or biometrics that an authenticator asks for besides being possessed. */
export type FactorClass = 'knowledge' | 'possession' | 'verification';

/**
 * Every way through chains, each different result once: chains, the methods of a step and its next steps are
 * alternatives (Okta management API, `AuthenticationMethodChainMethod`).
 */
export function chainPaths(chains: readonly ChainStep[]): readonly ProvenFactors[] {
  return distinct(chains.flatMap((chain) => fromStep(chain, [NOTHING])));
}

const NOTHING: ProvenFactors = {
  classes: new Set(),
  phishingResistant: false,
  unknown: new Set(),
  methods: '',
};

/** What the methods prove by themselves (Okta, "About MFA authenticators"). An identity provider stands for a password. */
const METHODS: ReadonlyMap<string, { readonly proves: FactorClass; readonly phishingResistant?: true }> =
  new Map([
    ['password', { proves: 'knowledge' }],
    ['security_question', { proves: 'knowledge' }],
    ['idp', { proves: 'knowledge' }],
    ['sms', { proves: 'possession' }],
    ['voice', { proves: 'possession' }],
    ['email', { proves: 'possession' }],
    ['push', { proves: 'possession' }],
    ['otp', { proves: 'possession' }],
    ['totp', { proves: 'possession' }],
    ['hotp', { proves: 'possession' }],
    ['duo', { proves: 'possession' }],
    ['signed_nonce', { proves: 'possession', phishingResistant: true }],
    ['webauthn', { proves: 'possession', phishingResistant: true }],
    ['cert', { proves: 'possession', phishingResistant: true }],
  ]);

/** Takes all results before a step together: one by one, their number would grow with the ways that lead to the step. */
function fromStep(step: ChainStep, before: readonly ProvenFactors[]): readonly ProvenFactors[] {
  const after = distinct(
    before.flatMap((proven) => step.methods.map((method) => withMethod(proven, method))),
  );
  if (step.next.length === 0) return after;
  return distinct(step.next.flatMap((next) => fromStep(next, after)));
}

function withMethod(before: ProvenFactors, method: AuthenticationMethod): ProvenFactors {
  const known = METHODS.get(method.method?.toLowerCase() ?? '');
  const name = `${method.key ?? 'unnamed'}/${method.method ?? 'unnamed'}`;
  const classes = new Set(before.classes);
  if (known !== undefined) classes.add(known.proves);
  if (known?.proves === 'possession' && isRequired(method.userVerification)) classes.add('verification');
  return {
    classes,
    phishingResistant:
      before.phishingResistant || known?.phishingResistant === true || isRequired(method.phishingResistant),
    unknown: known === undefined ? new Set([...before.unknown, name]) : before.unknown,
    methods: before.methods === '' ? name : `${before.methods}, then ${name}`,
  };
}

function isRequired(value: string | null): boolean {
  return value?.toUpperCase() === 'REQUIRED';
}

/** The first result of each kind. Results with unknown methods are of one kind, as no verdict depends on which these are. */
function distinct(ways: readonly ProvenFactors[]): readonly ProvenFactors[] {
  const byProof = new Map<string, ProvenFactors>();
  for (const way of ways) {
    const proof = [...way.classes].sort().join() + way.phishingResistant + (way.unknown.size > 0);
    if (!byProof.has(proof)) byProof.set(proof, way);
  }
  return [...byProof.values()];
}
