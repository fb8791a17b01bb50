import { appEndpoints } from './apps.ts';
import { brandEndpoints } from './brands.ts';
import { inDialect } from './dialect-words.ts';
import { type Endpoint, list } from './endpoint.ts';
import { memberEndpoints } from './members.ts';
import { policyEndpoints } from './policies.ts';

/** The management API, as far as it can be read with the ten scopes. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...policyEndpoints,
  ...brandEndpoints,
  ...appEndpoints,
  ...memberEndpoints,
  list(
    '/api/v1/authenticators',
    'authenticators',
    ({ organization }) => organization.authenticators,
    (authenticator, { dialect }) => ({ ...authenticator, key: inDialect(authenticator.key, dialect) }),
  ),
  list('/api/v1/api-tokens', 'apiTokens', ({ organization }) => organization.apiTokens),
  list('/api/v1/zones', 'networkZones', ({ organization }) => organization.zones),
  list('/api/v1/logStreams', 'logStreams', ({ organization }) => organization.logStreams),
  list('/api/v1/idps', 'idps', ({ organization }) => organization.identityProviders),
];
