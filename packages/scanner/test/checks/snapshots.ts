import type { EvaluationContext, Thresholds, Verdict } from '../../src/checks/check.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';
import { type Read, type ReadProblem, read, unread } from '../../src/directory/read-result.ts';
import type {
  AccessRule,
  App,
  Brand,
  NetworkCondition,
  ResourceKey,
  SessionPolicy,
  SessionRule,
  SignInPage,
  Snapshot,
} from '../../src/directory/snapshot.ts';

const STIG_THRESHOLDS: Thresholds = {
  maxSessionIdleMinutes: 15,
  maxSessionLifetimeMinutes: 1080,
  adminConsoleMaxIdleMinutes: 15,
  maxInactivityDays: 35,
  approvedIssuers: [],
};

export const ANYWHERE: NetworkCondition = { connection: 'ANYWHERE', include: [], exclude: [] };
export const IN_ZONE: NetworkCondition = { connection: 'ZONE', include: ['nzo1'], exclude: [] };
export const NOT_IN_ZONE: NetworkCondition = { connection: 'ZONE', include: [], exclude: ['nzo2'] };

/** Creates an evaluation context from parts of a snapshot. Defaults to the STIG thresholds. */
export function evaluated<Keys extends ResourceKey>(
  snapshot: Pick<Snapshot, Keys>,
  thresholds: Partial<Thresholds> = {},
  dialect: 'directory' | 'okta' = 'directory',
): EvaluationContext<Keys> {
  return { snapshot, thresholds: { ...STIG_THRESHOLDS, ...thresholds }, dialect: DIALECTS[dialect] };
}

/** The status, resource ID and resource name of each verdict. */
export function outline(verdicts: readonly Verdict[]): readonly (readonly [string, string, string])[] {
  return verdicts.map(({ status, resource }) => [status, resource.id, resource.name] as const);
}

export function sessionPolicy(
  rules: readonly SessionRule[] | Read<readonly SessionRule[]>,
  overrides: Partial<SessionPolicy> = {},
): SessionPolicy {
  return {
    id: 'pol1',
    name: 'Default Policy',
    priority: 99,
    status: 'ACTIVE',
    system: true,
    rules: 'kind' in rules ? rules : read(rules),
    ...overrides,
  };
}

/** A rule that passes every session policy check. */
export function sessionRule(overrides: Partial<SessionRule> = {}): SessionRule {
  return {
    id: 'rul1',
    name: 'Office',
    priority: 1,
    status: 'ACTIVE',
    system: false,
    access: 'ALLOW',
    maxSessionIdleMinutes: 15,
    maxSessionLifetimeMinutes: 1080,
    usePersistentCookie: false,
    network: IN_ZONE,
    ...overrides,
  };
}

export function brand(
  signInPage: Read<SignInPage>,
  id = 'bnd1',
  name: string | null = 'Headquarters',
): Brand {
  return { id, name, signInPage };
}

export function page(content: string | null, kind: SignInPage['kind'] = 'customized'): Read<SignInPage> {
  return read({ kind, content });
}

/** An app whose sign-on policy has these rules. `null` means that the app has no policy. */
export function app(
  rules: readonly AccessRule[] | Read<readonly AccessRule[]> | null,
  overrides: Partial<App> = {},
): App {
  const accessPolicy = rules === null ? null : { id: 'rst1', rules: 'kind' in rules ? rules : read(rules) };
  return {
    id: '0oa1',
    name: 'saasure',
    label: 'Admin Console',
    status: 'ACTIVE',
    signOnMode: 'SAML_2_0',
    accessPolicy,
    ...overrides,
  };
}

/** A rule that passes every sign-on policy check. */
export function accessRule(overrides: Partial<AccessRule> = {}): AccessRule {
  return {
    id: 'rul1',
    name: 'Staff',
    priority: 1,
    status: 'ACTIVE',
    system: false,
    access: 'ALLOW',
    verificationType: 'ASSURANCE',
    factorMode: '2FA',
    phishingResistant: ['REQUIRED'],
    chains: null,
    network: IN_ZONE,
    conditions: ['network zones'],
    ...overrides,
  };
}

export function catchAllRule(overrides: Partial<AccessRule> = {}): AccessRule {
  return accessRule({
    id: 'rul99',
    name: 'Catch-all Rule',
    priority: 99,
    system: true,
    access: 'DENY',
    factorMode: '1FA',
    phishingResistant: [],
    network: ANYWHERE,
    conditions: [],
    ...overrides,
  });
}

export function scopeMissing<Value>(scope: string): Read<Value> {
  return unread({ cause: 'scope', scope, detail: `the scope ${scope} was not granted` });
}

/** A read that failed with 403 because the role does not allow it. */
export function accessDenied<Value>(): Read<Value> {
  return failed('role', 'GET /api/v1/things returned 403 (E0000006: You do not have permission)');
}

export function failed<Value>(cause: ReadProblem['cause'], detail: string): Read<Value> {
  return unread({ cause, scope: null, detail });
}
