import type { IdentityProvider } from '../../directory/snapshot.ts';
import { defineCheck, type Thresholds, unreadResource, unreadVerdict, type Verdict } from '../check.ts';

export const check = defineCheck({
  id: 'idp_smart_card_dod_approved_ca',
  service: 'idp',
  severity: 'medium',
  title: 'Smart card identity providers are active and use a DoD-approved certificate authority',
  description:
    'A smart card identity provider trusts the certificates of one certificate authority. At least one provider must exist, all providers must be active, and the issuer of each certificate chain must be approved by the Department of Defense.',
  risk: "Anyone with a certificate from the trusted authority can sign in. An authority that has not been vetted may issue certificates without verifying the holder's identity, which allows impersonation.",
  remediation:
    '1. Sign in to the admin console and go to Security > Identity Providers. 2. Add a smart card identity provider if there is none. 3. Upload the certificate chain of a DoD-approved authority, build the chain and save. 4. Activate the identity provider. 5. If the issuer is approved but not recognized by the scanner, document the approval and add a pattern that matches the issuer to the approved issuers in the configuration file.',
  references: [
    'https://help.okta.com/en-us/Content/Topics/Security/idp-enable-smart-card.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/IdentityProvider/',
    'https://public.cyber.mil/pki-pke/',
  ],
  category: 'identity-access',
  stig: {
    requirement: '001920',
    group: 'V-273207',
    rule: 'SV-273207r1098888_rule',
    category: 'CAT II',
    ccis: ['002470', '004909'],
  },
  notes:
    'If the organization has decided not to use smart cards, mute the finding and document the decision.',
  needs: ['identityProviders'],
  evaluate: ({ snapshot, thresholds, dialect }) => {
    const providers = snapshot.identityProviders;
    if (providers.kind === 'unread') {
      const resource = unreadResource('directory-idps', providers.problem);
      return [unreadVerdict(providers.problem, resource, 'The identity providers')];
    }
    const smartCards = providers.value.filter(({ type }) => type?.toUpperCase() === 'X509');
    if (smartCards.length === 0) {
      const detail = `The ${dialect.title} organization has no smart card identity provider (type X509). Configure one with a DoD-approved certificate authority, or mute this finding with a documented exception.`;
      return [{ status: 'FAIL', detail, resource: NO_SMART_CARD }];
    }
    return smartCards.map((provider) => evaluateProvider(provider, thresholds));
  },
});

const NO_SMART_CARD = {
  id: 'directory-smart-card-idp-missing',
  name: '(no Smart Card IdP configured)',
  data: null,
} as const;

function evaluateProvider(provider: IdentityProvider, { approvedIssuers }: Thresholds): Verdict {
  const { id, name, status, issuer } = provider;
  const resource = { id, name, data: provider };
  const label = `Smart card identity provider "${name}"`;
  if (status?.toUpperCase() !== 'ACTIVE') {
    const detail = `${label} ${status ? `has status ${status}` : 'has no status'}. It must be ACTIVE. ${chain(provider)}`;
    return { status: 'FAIL', detail, resource };
  }
  // Unlike `test`, `search` ignores the `lastIndex` of a global pattern.
  const pattern = approvedIssuers.find((approved) => issuer !== null && issuer.search(approved) !== -1);
  if (pattern === undefined) {
    const detail = `${label} is active, but its issuer does not match any approved pattern. Verify manually that its certificate authority is DoD-approved, or add a pattern that matches the issuer to the approved issuers in the configuration file. ${chain(provider)}`;
    return { status: 'MANUAL', detail, resource };
  }
  const detail = `${label} is active and its issuer matches the approved pattern ${pattern.source}. ${chain(provider)}`;
  return { status: 'PASS', detail, resource };
}

function chain({ issuer, kid }: IdentityProvider): string {
  if (issuer === null && kid === null) {
    return 'The API does not return its certificate chain. Check the chain in the admin console.';
  }
  return `Its certificate chain has the issuer ${issuer ?? 'unset'} and the key ID ${kid ?? 'unset'}.`;
}
