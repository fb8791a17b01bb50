import type { App } from '../organization/organization.ts';
import { ApiError, forbidden, notFound } from './api-error.ts';
import { inDialect } from './dialect-words.ts';
import { list, named, type Reading, single } from './endpoint.ts';
import { oktaApp } from './okta/okta-apps.ts';

export const appEndpoints = [
  list('/api/v1/apps', 'apps', filteredApps, showApp),
  single('/api/v1/apps/:id', 'apps', (reading) => {
    const app = named(visibleApps(reading), reading);
    if (app === undefined) throw notFound(`${reading.id} (AppInstance)`);
    return showApp(app, reading);
  }),
  single('/api/v1/first-party-app-settings/admin-console', 'apps', ({ organization, role }) => {
    if (role !== 'super-admin') throw forbidden();
    if (organization.adminConsoleSettings === null) throw notFound('admin-console (AppSettings)');
    return organization.adminConsoleSettings;
  }),
];

/** Below Super Administrator, the directory shows only apps that are assigned to the one who asks. */
function visibleApps({ organization, role }: Reading): readonly App[] {
  if (role === 'super-admin') return organization.apps;
  return organization.apps.filter(({ assignedToServiceApp }) => assignedToServiceApp === true);
}

function filteredApps(reading: Reading): readonly App[] {
  const filter = reading.query.get('filter');
  if (filter === null) return visibleApps(reading);
  const [, name] = /^name eq "([^"]*)"$/.exec(filter) ?? [];
  if (name === undefined) throw new ApiError(400, 'E0000031', 'Invalid search criteria.');
  return visibleApps(reading).filter((app) => inDialect(app.name, reading.dialect) === name);
}

function showApp(shown: App, { url, dialect }: Reading): object {
  if (dialect === 'okta') return oktaApp(shown, url);
  const { accessPolicyId, assignedToServiceApp, ...app } = shown;
  const policy =
    accessPolicyId === null ? {} : { accessPolicy: { href: `${url}/api/v1/policies/${accessPolicyId}` } };
  return {
    ...app,
    name: inDialect(app.name, dialect),
    _links: { self: { href: `${url}/api/v1/apps/${app.id}` }, ...policy },
  };
}
