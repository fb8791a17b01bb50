import { ApiError, forbidden, notFound } from '../api-error.ts';
import type { App } from '../organization/organization.ts';
import { translateName } from './dialect-names.ts';
import { type EndpointRequest, findById, list, single } from './endpoint.ts';
import { oktaApp } from './okta/okta-apps.ts';

export const appEndpoints = [
  list('/api/v1/apps', 'apps', filteredApps, serializeApp),
  single('/api/v1/apps/:id', 'apps', (request) => {
    const app = findById(visibleApps(request), request);
    if (app === undefined) throw notFound(`${request.id} (AppInstance)`);
    return serializeApp(app, request);
  }),
  single('/api/v1/first-party-app-settings/admin-console', 'apps', ({ organization, role }) => {
    if (role !== 'super-admin') throw forbidden();
    if (organization.adminConsoleSettings === null) throw notFound('admin-console (AppSettings)');
    return organization.adminConsoleSettings;
  }),
];

/** Roles other than Super Administrator can see only apps that are assigned to the service app. */
function visibleApps({ organization, role }: EndpointRequest): readonly App[] {
  if (role === 'super-admin') return organization.apps;
  return organization.apps.filter(({ assignedToServiceApp }) => assignedToServiceApp === true);
}

function filteredApps(request: EndpointRequest): readonly App[] {
  const filter = request.query.get('filter');
  if (filter === null) return visibleApps(request);
  const [, name] = /^name eq "([^"]*)"$/.exec(filter) ?? [];
  if (name === undefined) throw new ApiError(400, 'E0000031', 'Invalid search criteria.');
  return visibleApps(request).filter((app) => translateName(app.name, request.dialect) === name);
}

function serializeApp(source: App, { url, dialect }: EndpointRequest): object {
  if (dialect === 'okta') return oktaApp(source, url);
  const { accessPolicyId, assignedToServiceApp, ...app } = source;
  const policy =
    accessPolicyId === null ? {} : { accessPolicy: { href: `${url}/api/v1/policies/${accessPolicyId}` } };
  return {
    ...app,
    name: translateName(app.name, dialect),
    _links: { self: { href: `${url}/api/v1/apps/${app.id}` }, ...policy },
  };
}
