/** The timestamps that all objects share. Scans do not depend on them. */
export const TIMESTAMPS = {
  created: '2025-03-19T09:20:46.000Z',
  lastUpdated: '2025-06-16T14:05:12.000Z',
} as const;

/** Returns the `self` link of an object with its allowed methods (`LinksSelf`). */
export function selfLink(href: string, allow: readonly string[] = ['GET', 'PUT', 'DELETE']): object {
  return { self: { href, hints: { allow } } };
}

/** Returns the link that activates or deactivates an object, depending on its status (`LinksSelfAndLifecycle`). */
export function lifecycleLink(href: string, status: unknown): object {
  const verb = status === 'INACTIVE' ? 'activate' : 'deactivate';
  return { [verb]: { href: `${href}/lifecycle/${verb}`, hints: { allow: ['POST'] } } };
}

/** Replaces the product name in a label: `Directory Verify` becomes `Okta Verify`. */
export function oktaLabel(label: unknown): unknown {
  return typeof label === 'string' ? label.replace(/^Directory /, 'Okta ') : label;
}
