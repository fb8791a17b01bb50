import type { Named, Policy } from '../../organization/organization.ts';
import { translateName } from '../dialect-names.ts';
import { lifecycleLink, selfLink, TIMESTAMPS } from './okta-fields.ts';

/** Serializes a policy in Okta's format (`AccessPolicy`, `OktaSignOnPolicy`, `PasswordPolicy`). */
export function oktaPolicy({ rules, type, ...policy }: Policy, url: string): object {
  const href = `${url}/api/v1/policies/${policy.id}`;
  return {
    ...policy,
    type: translateName(type, 'okta'),
    description: null,
    ...conditionsOf({ type, conditions: policy.conditions }),
    ...TIMESTAMPS,
    _links: {
      ...selfLink(href),
      rules: { href: `${href}/rules`, hints: { allow: ['GET', 'POST'] } },
      ...lifecycleLink(href, policy.status),
    },
  };
}

function conditionsOf({ type, conditions }: { readonly type: string; readonly conditions: unknown }): object {
  if (type === 'ACCESS_POLICY') return { conditions: null };
  return conditions === undefined ? {} : { conditions: withOktaProvider(conditions) };
}

/** Okta's own password provider is `OKTA` (`PasswordPolicyAuthenticationProviderType`). */
function withOktaProvider(conditions: unknown): unknown {
  return replaceField(conditions, 'provider', (provider) => (provider === 'DIRECTORY' ? 'OKTA' : provider));
}

/** Serializes a policy's rules in Okta's format (`AccessPolicyRule`, `OktaSignOnPolicyRule`, `PasswordPolicyRule`). */
export function oktaRules({ id, type, rules }: Policy, url: string): readonly Named[] {
  const shift = priorityShift(type, rules);
  return rules.map((rule) => {
    const href = `${url}/api/v1/policies/${id}/rules/${rule.id}`;
    const priority = typeof rule.priority === 'number' ? { priority: shift(rule.priority) } : {};
    return {
      ...rule,
      ...priority,
      ...TIMESTAMPS,
      actions: replaceField(replaceField(rule.actions, 'types', upperCase), 'key', oktaKey),
      _links: { ...selfLink(href), ...lifecycleLink(href, rule.status) },
    };
  });
}

/** Okta's access policies start at priority 0, with the catch-all rule at 99. Session policies start at 1. */
function priorityShift(type: string, rules: readonly Named[]): (priority: number) => number {
  const last = type === 'ACCESS_POLICY' ? 99 : Number.POSITIVE_INFINITY;
  const start = type === 'ACCESS_POLICY' ? 0 : 1;
  const priorities = rules
    .map(({ priority }) => priority)
    .filter((priority) => typeof priority === 'number' && priority < last);
  const first = Math.min(...priorities.map(Number));
  return (priority) => (priority < last ? priority - first + start : priority);
}

/** Okta's constraint types are uppercase (`AccessPolicyConstraint`). */
function upperCase(types: unknown): unknown {
  return Array.isArray(types) ? types.map((type) => String(type).toUpperCase()) : types;
}

/** Returns Okta's key for an authenticator in a method chain, such as `okta_password`. */
function oktaKey(key: unknown): unknown {
  return typeof key === 'string' ? translateName(key, 'okta') : key;
}

/** Replaces the values of a field at every depth. */
function replaceField(value: unknown, field: string, replace: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceField(item, field, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === field ? replace(item) : replaceField(item, field, replace),
    ]),
  );
}
