import type { Authenticator, Brand, Named } from '../../organization/organization.ts';
import { translateName } from '../dialect-names.ts';
import { lifecycleLink, oktaLabel, selfLink, TIMESTAMPS } from './okta-fields.ts';

/** Serializes a brand in Okta's format (`BrandWithEmbedded`). */
export function oktaBrand(
  { pages, removePoweredByDirectory, ...brand }: Brand,
  url: string,
  isDefault: boolean,
): object {
  const href = `${url}/api/v1/brands/${brand.id}`;
  return {
    ...brand,
    removePoweredByOkta: removePoweredByDirectory ?? false,
    customPrivacyPolicyUrl: null,
    agreeToCustomPrivacyPolicy: false,
    isDefault,
    defaultApp: { appInstanceId: null, appLinkName: null, classicApplicationUri: null },
    _links: { ...selfLink(href), themes: { href: `${href}/themes`, hints: { allow: ['GET'] } } },
  };
}

/** Serializes a sign-in page in Okta's format (`SignInPage`). */
export function oktaSignInPage(pageContent: string | null): object {
  return {
    pageContent,
    widgetVersion: '*',
    widgetCustomizations: {
      showPasswordVisibilityToggle: true,
      showUserIdentifier: true,
      widgetGeneration: 'G3',
    },
  };
}

/**
 * Serializes an authenticator in Okta's format (`AuthenticatorKeyOktaVerify`, `AuthenticatorKeySmartCard`, and others).
 */
export function oktaAuthenticator(authenticator: Authenticator, url: string): Named {
  const href = `${url}/api/v1/authenticators/${authenticator.id}`;
  return {
    ...authenticator,
    key: translateName(authenticator.key, 'okta'),
    name: String(oktaLabel(authenticator.name)),
    ...TIMESTAMPS,
    _links: { ...selfLink(href, ['GET', 'PUT']), ...lifecycleLink(href, authenticator.status) },
  };
}

/** Serializes a network zone in Okta's format (`IPNetworkZone`, `DynamicNetworkZone`, `EnhancedDynamicNetworkZone`). */
export function oktaZone(zone: Named, url: string): object {
  const href = `${url}/api/v1/zones/${zone.id}`;
  return { ...zone, ...TIMESTAMPS, _links: { ...selfLink(href), ...lifecycleLink(href, zone.status) } };
}

/** Serializes an API token in Okta's format (`ApiToken`). */
export function oktaApiToken(token: Named, url: string): Named {
  const allow = ['GET', 'DELETE'];
  return {
    ...token,
    clientName: oktaLabel(token.clientName),
    ...TIMESTAMPS,
    expiresAt: '2027-03-19T09:20:46.000Z',
    _links: {
      ...selfLink(`${url}/api/v1/api-tokens/${token.id}`, allow),
      user: { href: `${url}/api/v1/users/${token.userId}`, hints: { allow: ['GET'] } },
    },
  };
}

/**
 * Serializes a log stream in Okta's format (`LogStreamAws`, `LogStreamSplunk`). Okta's log streams always have a
 * status.
 */
export function oktaLogStream({ status = 'ACTIVE', ...stream }: Named, url: string): object {
  const self = `${url}/api/v1/logStreams/${stream.id}`;
  const verb = status === 'INACTIVE' ? 'activate' : 'deactivate';
  return {
    ...stream,
    status,
    ...TIMESTAMPS,
    settings:
      stream.type === 'aws_eventbridge'
        ? { accountId: '123456789012', eventSourceName: 'e', region: 'us-east-1' }
        : { edition: 'aws', host: 'acme.splunkcloud.com', token: '11111111-1111-4111-8111-111111111111' },
    _links: {
      self: { href: self, method: 'GET' },
      [verb]: { href: `${self}/lifecycle/${verb}`, method: 'POST' },
    },
  };
}

/**
 * Okta lists connected directories as apps, so the type of an identity provider is never `ACTIVE_DIRECTORY` or `LDAP`
 * (`IdentityProviderType`).
 */
export function isOktaIdentityProvider({ type }: Named): boolean {
  return type !== 'ACTIVE_DIRECTORY' && type !== 'LDAP';
}

/** Serializes an identity provider in Okta's format (`IdentityProvider`). */
export function oktaIdentityProvider(provider: Named, url: string): object {
  const href = `${url}/api/v1/idps/${provider.id}`;
  return {
    ...provider,
    issuerMode: 'ORG_URL',
    ...TIMESTAMPS,
    policy: {
      provisioning: { action: 'AUTO', profileMaster: false, groups: { action: 'NONE' } },
      accountLink: { filter: null, action: 'AUTO' },
      subject: {
        userNameTemplate: { template: 'idpuser.subjectNameId' },
        filter: null,
        matchType: 'USERNAME',
        matchAttribute: null,
      },
      maxClockSkew: 120_000,
    },
    _links: { ...selfLink(href), ...lifecycleLink(href, provider.status) },
  };
}
