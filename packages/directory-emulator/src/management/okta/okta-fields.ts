/** The timestamps of every object; their values do not matter to a scan. */
export const TIMESTAMPS = {
  created: '2025-03-19T09:20:46.000Z',
  lastUpdated: '2025-06-16T14:05:12.000Z',
} as const;

/** The link of an object to itself with the methods that Okta allows (`LinksSelf`). */
export function selfLink(href: string, allow: readonly string[] = ['GET', 'PUT', 'DELETE']): object {
  return { self: { href, hints: { allow } } };
}

/** The link that activates or deactivates an object, whichever its status allows (`LinksSelfAndLifecycle`). */
export function lifecycleLink(href: string, status: unknown): object {
  const verb = status === 'INACTIVE' ? 'activate' : 'deactivate';
  return { [verb]: { href: `${href}/lifecycle/${verb}`, hints: { allow: ['POST'] } } };
}

/** Uses Okta's name in a label: `Directory Verify` is `Okta Verify`. */
export function oktaLabel(label: unknown): unknown {
  return typeof label === 'string' ? label.replace(/^Directory /, 'Okta ') : label;
}
