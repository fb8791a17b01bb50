import type { App } from '../../organization/organization.ts';
import { translateName } from '../dialect-names.ts';
import { lifecycleLink, oktaLabel, selfLink, TIMESTAMPS } from './okta-fields.ts';

/**
 * Settings of a custom app. Apps from Okta's catalog contain only the overrides, and Okta's own SDK can't parse these
 * apps.
 */
const SAML_SIGN_ON = {
  defaultRelayState: null,
  ssoAcsUrl: 'https://app.example/saml/acs',
  idpIssuer: 'http://www.okta.com/exkpayroll',
  audience: 'https://app.example/saml',
  recipient: 'https://app.example/saml/acs',
  destination: 'https://app.example/saml/acs',
  subjectNameIdTemplate: 'user.userName',
  subjectNameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  responseSigned: true,
  assertionSigned: true,
  signatureAlgorithm: 'RSA_SHA256',
  digestAlgorithm: 'SHA256',
  honorForceAuthn: true,
  authnContextClassRef: 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport',
  requestCompressed: false,
  allowMultipleAcsEndpoints: false,
  ssoAcsUrlOverride: null,
  audienceOverride: null,
  recipientOverride: null,
  destinationOverride: null,
  attributeStatements: [],
};

/**
 * Serializes an app in Okta's format (`OpenIdConnectApplication`, `SamlApplication`), with the fields of recorded
 * responses.
 */
export function oktaApp({ accessPolicyId, assignedToServiceApp, ...app }: App, url: string): object {
  const href = `${url}/api/v1/apps/${app.id}`;
  const accessPolicy =
    accessPolicyId === null ? {} : { accessPolicy: { href: `${url}/api/v1/policies/${accessPolicyId}` } };
  const name = translateName(app.name, 'okta');
  return {
    ...app,
    name,
    label: oktaLabel(app.label),
    ...TIMESTAMPS,
    accessibility: { selfService: false, errorRedirectUrl: null, loginRedirectUrl: null },
    visibility: {
      autoLaunch: false,
      autoSubmitToolbar: false,
      hide: { iOS: false, web: false },
      appLinks: { login: true },
    },
    features: [],
    credentials: credentialsOf(app.id, name),
    universalLogout: null,
    settings: settingsOf(name, app.signOnMode),
    _links: { ...selfLink(href), ...accessPolicy, ...lifecycleLink(href, app.status) },
  };
}

function credentialsOf(id: string, name: string): object {
  const common = {
    userNameTemplate: { template: `\${source.login}`, type: 'BUILT_IN' },
    signing: { kid: 'organization-signing-key' },
  };
  if (name !== 'oidc_client') return common;
  const oauthClient = { autoKeyRotation: true, client_id: id, token_endpoint_auth_method: 'private_key_jwt' };
  return { ...common, oauthClient };
}

function settingsOf(name: string, signOnMode: unknown): object {
  const common = {
    app: {},
    notifications: { vpn: { network: { connection: 'DISABLED' }, message: null, helpUrl: null } },
    manualProvisioning: false,
    implicitAssignment: false,
    notes: { admin: null, enduser: null },
  };
  if (name === 'oidc_client')
    return {
      ...common,
      oauthClient: {
        redirect_uris: ['https://app.example/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        application_type: 'web',
        consent_method: 'TRUSTED',
        issuer_mode: 'DYNAMIC',
      },
    };
  return signOnMode === 'SAML_2_0' ? { ...common, signOn: SAML_SIGN_ON } : common;
}
