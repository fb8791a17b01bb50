import type { Read } from './read-result.ts';

/**
 * The data that a scan has read from one organization. Fields correspond to those of the management API. `null`
 * represents a missing field or a field with an unexpected type.
 */
export interface Snapshot {
  readonly sessionPolicies: Read<readonly SessionPolicy[]>;
  readonly brands: Read<readonly Brand[]>;
  readonly adminConsoleSettings: Read<AdminConsoleSettings>;
  /** `undefined` if the API did not return the app. Only Super Administrators can see first-party apps. */
  readonly adminConsoleApp: Read<App | undefined>;
  readonly dashboardApp: Read<App | undefined>;
  /** All apps that are visible to the role, including inactive apps. */
  readonly apps: Read<readonly App[]>;
  readonly passwordPolicies: Read<readonly PasswordPolicy[]>;
  readonly authenticators: Read<readonly Authenticator[]>;
  readonly apiTokens: Read<readonly ApiToken[]>;
  readonly zones: Read<readonly Zone[]>;
  readonly identityProviders: Read<readonly IdentityProvider[]>;
  readonly logStreams: Read<readonly LogStream[]>;
  readonly lifecyclePolicies: Read<readonly LifecyclePolicy[]>;
}

export type ResourceKey = keyof Snapshot;

/** The common fields of policies and their rules. */
export interface Ranked {
  readonly id: string;
  readonly name: string;
  /** The evaluation order, starting with 1. */
  readonly priority: number | null;
  readonly status: string | null;
  /** Whether the policy or rule is built in. */
  readonly system: boolean;
}

/** IDs or names of zones. */
export interface NetworkCondition {
  readonly connection: string | null;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface SessionPolicy extends Ranked {
  readonly rules: Read<readonly SessionRule[]>;
}

export interface SessionRule extends Ranked {
  /** `ALLOW` or `DENY`. */
  readonly access: string | null;
  readonly maxSessionIdleMinutes: number | null;
  readonly maxSessionLifetimeMinutes: number | null;
  readonly usePersistentCookie: boolean | null;
  readonly network: NetworkCondition;
}

export interface Brand {
  readonly id: string;
  readonly name: string | null;
  readonly signInPage: Read<SignInPage>;
}

export interface SignInPage {
  readonly kind: 'customized' | 'default';
  /** The HTML of the page. */
  readonly content: string | null;
}

export interface AdminConsoleSettings {
  readonly sessionIdleTimeoutMinutes: number | null;
}

export interface App {
  readonly id: string;
  /** The internal name. */
  readonly name: string;
  readonly label: string | null;
  readonly status: string | null;
  /** The sign-on mode, such as `SAML_2_0`; `null` for a connector that users cannot sign in to. */
  readonly signOnMode: string | null;
  /** `null` if no sign-on policy is assigned to the app. */
  readonly accessPolicy: AccessPolicy | null;
}

export interface AccessPolicy {
  readonly id: string;
  readonly rules: Read<readonly AccessRule[]>;
}

export interface AccessRule extends Ranked {
  /** `ALLOW` or `DENY`. */
  readonly access: string | null;
  /** The type: `ASSURANCE` has a factor mode and constraints, `AUTH_METHOD_CHAIN` has chains. */
  readonly verificationType: string | null;
  /** `1FA` or `2FA`. */
  readonly factorMode: string | null;
  /** The value of `possession.phishingResistant` for each constraint. Constraints are alternatives. */
  readonly phishingResistant: readonly (string | null)[];
  /** Alternative first steps; `null` if there are no steps or the steps could not be read. */
  readonly chains: readonly ChainStep[] | null;
  readonly network: NetworkCondition;
  /** Conditions that a user or sign-in must meet for the rule to apply. */
  readonly conditions: readonly AccessCondition[];
}

export type AccessCondition =
  | 'groups'
  | 'users'
  | 'user types'
  | 'network zones'
  | 'devices'
  | 'platforms'
  | 'risk'
  | 'an expression';

/**
 * A step of an authentication method chain. The user completes one of the methods, then one of the next steps, if any.
 */
export interface ChainStep {
  readonly methods: readonly AuthenticationMethod[];
  readonly next: readonly ChainStep[];
}

export interface AuthenticationMethod {
  /** The key of the authenticator. */
  readonly key: string | null;
  readonly method: string | null;
  /** `REQUIRED` or `OPTIONAL`, as in `userVerification`. */
  readonly phishingResistant: string | null;
  readonly userVerification: string | null;
}

export interface PasswordPolicy extends Ranked {
  /**
   * The directory that validates the passwords (`conditions.authProvider.provider`): `OKTA`, `ACTIVE_DIRECTORY` or
   * `LDAP`.
   */
  readonly authProvider: string | null;
  readonly minLength: number | null;
  readonly minUpperCase: number | null;
  readonly minLowerCase: number | null;
  readonly minNumber: number | null;
  readonly minSymbol: number | null;
  readonly minAgeMinutes: number | null;
  /** 0 means that passwords never expire. */
  readonly maxAgeDays: number | null;
  readonly historyCount: number | null;
  /** 0 means that accounts are never locked. */
  readonly maxAttempts: number | null;
  readonly excludeCommonPasswords: boolean | null;
}

export interface Authenticator {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly status: string | null;
  readonly type: string | null;
  /** The value of `settings.compliance.fips`: `REQUIRED` or `OPTIONAL`. */
  readonly fips: string | null;
}

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly clientName: string | null;
  readonly userId: string | null;
  readonly network: NetworkCondition;
  /** Role types in the owner's role list. Some vendors include inherited roles. */
  readonly directRoles: Read<readonly string[]>;
  /** Role types of each group of the owner; a single failed read if the groups could not be listed. */
  readonly inheritedRoles: readonly Read<readonly string[]>[];
}

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  /** `IP`, `DYNAMIC` or `DYNAMIC_V2`. */
  readonly type: string | null;
  /** `POLICY` or `BLOCKLIST`. */
  readonly usage: string | null;
  readonly system: boolean;
  readonly gateways: readonly string[];
  readonly proxies: readonly string[];
  /** The categories in `ipServiceCategories.include`. Exclusions are in `ipServiceCategories.exclude`. */
  readonly categories: readonly string[];
  readonly excludedCategories: readonly string[];
  /** For the zone type `DYNAMIC`: `Any`, `TorAnonymizer`, `NotTorAnonymizer` or an empty string. */
  readonly proxyType: string | null;
}

export interface IdentityProvider {
  readonly id: string;
  readonly name: string;
  readonly type: string | null;
  readonly status: string | null;
  /** Issuer and key ID from `protocol.credentials.trust`. */
  readonly issuer: string | null;
  readonly kid: string | null;
}

export interface LogStream {
  readonly id: string;
  readonly name: string;
  readonly status: string | null;
  readonly type: string | null;
}

export interface LifecyclePolicy extends Ranked {
  /** `null` if the policy has no inactivity condition in days. */
  readonly inactivityDays: number | null;
  /** IDs of the groups that the policy applies to. */
  readonly groups: readonly string[];
  readonly rules: Read<readonly LifecycleRule[]>;
}

export interface LifecycleRule extends Ranked {
  /** The new status of the user, such as `SUSPENDED` or `DEACTIVATED`. */
  readonly targetStatus: string | null;
}
