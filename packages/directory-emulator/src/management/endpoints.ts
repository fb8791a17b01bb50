import { appEndpoints } from './apps.ts';
import { brandEndpoints } from './brands.ts';
import { type Endpoint, type EndpointRequest, list } from './endpoint.ts';
import { memberEndpoints } from './members.ts';
import {
  isOktaIdentityProvider,
  oktaApiToken,
  oktaAuthenticator,
  oktaIdentityProvider,
  oktaLogStream,
  oktaZone,
} from './okta/okta-resources.ts';
import { policyEndpoints } from './policies.ts';

/** The management API endpoints that the read scopes cover. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...policyEndpoints,
  ...brandEndpoints,
  ...appEndpoints,
  ...memberEndpoints,
  list(
    '/api/v1/authenticators',
    'authenticators',
    ({ organization }) => organization.authenticators,
    inOkta(oktaAuthenticator),
    { unpagedInOkta: true },
  ),
  list(
    '/api/v1/api-tokens',
    'apiTokens',
    ({ organization }) => organization.apiTokens,
    inOkta(oktaApiToken),
    { unpagedInOkta: true },
  ),
  list('/api/v1/zones', 'networkZones', ({ organization }) => organization.zones, inOkta(oktaZone)),
  list(
    '/api/v1/logStreams',
    'logStreams',
    ({ organization }) => organization.logStreams,
    inOkta(oktaLogStream),
  ),
  list(
    '/api/v1/idps',
    'idps',
    ({ organization: { identityProviders }, dialect }) =>
      dialect === 'okta' ? identityProviders.filter(isOktaIdentityProvider) : identityProviders,
    inOkta(oktaIdentityProvider),
  ),
];

/** For an emulated Okta organization, serializes an object with `serialize`; otherwise returns the object unchanged. */
function inOkta<Item extends object>(serialize: (item: Item, url: string) => object) {
  return (item: Item, { dialect, url }: EndpointRequest): object =>
    dialect === 'okta' ? serialize(item, url) : item;
}
