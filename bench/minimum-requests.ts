import type { Organization } from '../packages/directory-emulator/src/index.ts';

/** Page sizes of the management API for lists and for policy rules. */
const PAGE = 200;
const RULE_PAGE = 100;
const READ_POLICY_TYPES = ['DIRECTORY_SIGN_ON', 'PASSWORD', 'USER_LIFECYCLE'];

/**
 * Returns the minimum number of requests that a Super Administrator needs to read the data for all 29 checks, if each
 * list is read once. Computed from the contents of the organization.
 */
export function minimumRequests(organization: Organization): number {
  const { policies, apps, brands, users, groups, apiTokens } = organization;
  const pages = (elements: readonly unknown[]) => Math.max(1, Math.ceil(elements.length / PAGE));
  const rules = (ids: ReadonlySet<string>) =>
    policies
      .filter(({ id }) => ids.has(id))
      .reduce((sum, policy) => sum + Math.max(1, Math.ceil(policy.rules.length / RULE_PAGE)), 0);

  const probe = 1;
  const policyLists = READ_POLICY_TYPES.map((type) => policies.filter((policy) => policy.type === type));
  // No check reads the rules of password policies.
  const withRules = policyLists.flat().filter(({ type }) => type !== 'PASSWORD');
  const appPolicies = new Set(apps.flatMap(({ accessPolicyId }) => accessPolicyId ?? []));
  const signInPages = brands.reduce(
    (sum, { pages: { customized } }) => sum + (customized === undefined ? 2 : 1),
    0,
  );
  const owners = users.filter(({ id }) => apiTokens.some(({ userId }) => userId === id));
  const ownersGroups = groups.filter(({ id }) => owners.some((owner) => owner.groups.includes(id)));
  const lists = [...policyLists, brands, apps, apiTokens, organization.zones, organization.logStreams];
  const wholeLists = [...lists, organization.identityProviders, organization.authenticators];
  const firstParty = 3;
  return (
    probe +
    firstParty +
    wholeLists.reduce((sum, list) => sum + pages(list), 0) +
    rules(new Set(withRules.map(({ id }) => id))) +
    rules(appPolicies) +
    signInPages +
    owners.length * 2 +
    ownersGroups.length
  );
}
