import type { AuthenticationMethod, ChainStep } from '../../directory/snapshot.ts';

/** The factors that a user has proven at the end of a path through the authentication method chains. */
export interface ProvenFactors {
  /** The proven factor classes. For example, a password and a security question belong to the same class. */
  readonly classes: ReadonlySet<FactorClass>;
  readonly phishingResistant: boolean;
  /** Unrecognized methods, such as `okta_new/beam`. */
  readonly unknown: ReadonlySet<string>;
  /** The methods in order, such as `okta_password/password, then phone_number/sms`. */
  readonly methods: string;
}

/** `verification` is a PIN or biometrics that an authenticator requires in addition to possession. */
type FactorClass = 'knowledge' | 'possession' | 'verification';

/**
 * Returns the distinct results of all paths through the chains. The chains are alternatives, and so are the methods of
 * a step and its next steps (Okta management API, `AuthenticationMethodChainMethod`).
 */
export function chainPaths(chains: readonly ChainStep[]): readonly ProvenFactors[] {
  return distinct(chains.flatMap((chain) => fromStep(chain, [NO_PROVEN_FACTORS])));
}

const NO_PROVEN_FACTORS: ProvenFactors = {
  classes: new Set(),
  phishingResistant: false,
  unknown: new Set(),
  methods: '',
};

/** The factor class of each method (Okta, "About MFA authenticators"). An identity provider counts as a password. */
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

/**
 * Processes the results of all paths to a step together. Otherwise, the number of results would grow exponentially with
 * the number of steps.
 */
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

/**
 * Removes equivalent results. Results that differ only in their unknown methods are equivalent, because no verdict
 * depends on which methods are unknown.
 */
function distinct(paths: readonly ProvenFactors[]): readonly ProvenFactors[] {
  const byProof = new Map<string, ProvenFactors>();
  for (const path of paths) {
    const proof = [...path.classes].sort().join() + path.phishingResistant + (path.unknown.size > 0);
    if (!byProof.has(proof)) byProof.set(proof, path);
  }
  return [...byProof.values()];
}
