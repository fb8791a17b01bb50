import { AccessPolicies } from './collectors/access-policies.ts';
import { readApiTokens } from './collectors/api-tokens.ts';
import { readAdminConsoleSettings, readApps, readBuiltInApp } from './collectors/apps.ts';
import { readAuthenticators } from './collectors/authenticators.ts';
import { readBrands } from './collectors/brands.ts';
import { readIdentityProviders } from './collectors/identity-providers.ts';
import { readLifecyclePolicies } from './collectors/lifecycle-policies.ts';
import { readLogStreams } from './collectors/log-streams.ts';
import { OwnerRoles } from './collectors/owner-roles.ts';
import { readPasswordPolicies } from './collectors/password-policies.ts';
import { readSessionPolicies } from './collectors/session-policies.ts';
import { readZones } from './collectors/zones.ts';
import type { ManagementApi } from './management-api.ts';
import { type Read, type ReadProblem, unread } from './read-result.ts';
import type { ResourceKey, Snapshot } from './snapshot.ts';

/** Reads the resource of each key, at most once. Calls `onProgress` after each one. */
export type ReadSnapshot = <Keys extends ResourceKey>(
  keys: readonly Keys[],
  onProgress?: (done: number, total: number, key: ResourceKey) => void,
) => Promise<Pick<Snapshot, Keys>>;

const NOT_REQUESTED: ReadProblem = {
  cause: 'failed',
  scope: null,
  detail: 'it was not requested in this scan',
};

/** Creates a function that reads snapshots and caches resources across calls. */
export function snapshotReader(api: ManagementApi): ReadSnapshot {
  const policies = new AccessPolicies(api);
  const owners = new OwnerRoles(api);
  const { adminConsoleApp, dashboardApp } = api.dialect;
  const collect: { readonly [Key in ResourceKey]: () => Promise<Snapshot[Key]> } = {
    sessionPolicies: once(() => readSessionPolicies(api)),
    brands: once(() => readBrands(api)),
    adminConsoleSettings: once(() => readAdminConsoleSettings(api)),
    adminConsoleApp: once(() => readBuiltInApp(api, policies, adminConsoleApp)),
    dashboardApp: once(() => readBuiltInApp(api, policies, dashboardApp)),
    apps: once(() => readApps(api, policies)),
    passwordPolicies: once(() => readPasswordPolicies(api)),
    authenticators: once(() => readAuthenticators(api)),
    apiTokens: once(() => readApiTokens(api, owners)),
    zones: once(() => readZones(api)),
    identityProviders: once(() => readIdentityProviders(api)),
    logStreams: once(() => readLogStreams(api)),
    lifecyclePolicies: once(() => readLifecyclePolicies(api)),
  };

  return async (keys, onProgress) => {
    const requested = new Set<ResourceKey>(keys);
    let done = 0;
    const get = async <Value>(
      key: ResourceKey,
      collector: () => Promise<Read<Value>>,
    ): Promise<Read<Value>> => {
      if (!requested.has(key)) return unread(NOT_REQUESTED);
      const value = await collector();
      done += 1;
      onProgress?.(done, requested.size, key);
      return value;
    };
    // Read concurrently, because the transport already limits the rate and the concurrency of requests.
    const reads = {
      sessionPolicies: get('sessionPolicies', collect.sessionPolicies),
      brands: get('brands', collect.brands),
      adminConsoleSettings: get('adminConsoleSettings', collect.adminConsoleSettings),
      adminConsoleApp: get('adminConsoleApp', collect.adminConsoleApp),
      dashboardApp: get('dashboardApp', collect.dashboardApp),
      apps: get('apps', collect.apps),
      passwordPolicies: get('passwordPolicies', collect.passwordPolicies),
      authenticators: get('authenticators', collect.authenticators),
      apiTokens: get('apiTokens', collect.apiTokens),
      zones: get('zones', collect.zones),
      identityProviders: get('identityProviders', collect.identityProviders),
      logStreams: get('logStreams', collect.logStreams),
      lifecyclePolicies: get('lifecyclePolicies', collect.lifecyclePolicies),
    };
    await Promise.all(Object.values(reads));
    const snapshot: Snapshot = {
      sessionPolicies: await reads.sessionPolicies,
      brands: await reads.brands,
      adminConsoleSettings: await reads.adminConsoleSettings,
      adminConsoleApp: await reads.adminConsoleApp,
      dashboardApp: await reads.dashboardApp,
      apps: await reads.apps,
      passwordPolicies: await reads.passwordPolicies,
      authenticators: await reads.authenticators,
      apiTokens: await reads.apiTokens,
      zones: await reads.zones,
      identityProviders: await reads.identityProviders,
      logStreams: await reads.logStreams,
      lifecyclePolicies: await reads.lifecyclePolicies,
    };
    return snapshot;
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
