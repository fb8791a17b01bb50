import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import { type Read, read } from '../read-result.ts';
import type { AdminConsoleSettings, App } from '../snapshot.ts';
import type { AccessPolicies } from './access-policies.ts';
import { compareTexts, id, number, oncePerId, part, text } from './fields.ts';

const appSchema = z.object({
  id,
  name: text,
  label: text,
  status: text,
  signOnMode: text,
  _links: part({ accessPolicy: part({ href: text }) }),
});
type ListedApp = z.output<typeof appSchema>;

/** All apps that are visible to the scanner's role, sorted by label. */
export async function readApps(api: ManagementApi, policies: AccessPolicies): Promise<Read<readonly App[]>> {
  const apps = await listApps(api, { limit: '200' });
  if (apps.kind === 'unread') return apps;
  const all = await Promise.all(oncePerId(apps.value).map((app) => withPolicy(app, policies)));
  return read(
    all.sort((a, b) => compareTexts(a.label ?? a.name, b.label ?? b.name) || compareTexts(a.id, b.id)),
  );
}

/** The built-in app with this internal name; `undefined` if the API does not return it. */
export async function readBuiltInApp(
  api: ManagementApi,
  policies: AccessPolicies,
  name: string,
): Promise<Read<App | undefined>> {
  const apps = await listApps(api, { filter: `name eq "${name}"` });
  if (apps.kind === 'unread') return apps;
  const app = apps.value.find((candidate) => candidate.name === name);
  return read(app === undefined ? undefined : await withPolicy(app, policies));
}

function listApps(
  api: ManagementApi,
  query: Readonly<Record<string, string>>,
): Promise<Read<readonly ListedApp[]>> {
  return api.list({ path: '/api/v1/apps', query, scope: 'apps', isFeature: true, schema: appSchema });
}

async function withPolicy(app: ListedApp, policies: AccessPolicies): Promise<App> {
  const policyId = lastSegment(app._links.accessPolicy.href);
  return {
    id: app.id,
    name: app.name ?? app.id,
    label: app.label,
    status: app.status,
    signOnMode: app.signOnMode,
    accessPolicy: policyId === null ? null : await policies.get(policyId),
  };
}

/** Extracts the policy ID from its link, which can be relative and end with a slash. */
function lastSegment(href: string | null): string | null {
  if (href === null || !URL.canParse(href, 'https://relative.invalid')) return null;
  const segments = new URL(href, 'https://relative.invalid').pathname.split('/');
  const last = segments.findLast((segment) => segment !== '');
  return last === undefined ? null : decodeURIComponent(last);
}

const settingsSchema = z.object({ sessionIdleTimeoutMinutes: number });

/** The settings of the admin console, which only a Super Administrator can read. */
export function readAdminConsoleSettings(api: ManagementApi): Promise<Read<AdminConsoleSettings>> {
  return api.object({
    path: '/api/v1/first-party-app-settings/admin-console',
    scope: 'apps',
    isFeature: true,
    schema: settingsSchema,
  });
}
