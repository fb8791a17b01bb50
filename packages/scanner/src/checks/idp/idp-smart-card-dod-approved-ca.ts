import type { IdentityProvider } from '../../directory/snapshot.ts';
import { defineCheck, type Thresholds, unreadVerdict, type Verdict } from '../check.ts';
import { unreadResource } from '../unread-resource.ts';

export const check = defineCheck({
  id: 'idp_smart_card_dod_approved_ca',
  service: 'idp',
  severity: 'medium',
  title: 'Every smart-card identity provider is active and trusts a DoD-approved certificate authority',
  description:
    'A smart-card identity provider of the directory trusts the certificates of one authority. There has to be one, each has to be active, and the issuer of its certificate chain has to be an authority that the Department of Defense approves.',
  risk: 'Whoever holds a certificate of the trusted authority can sign in. An authority that nobody vetted may issue certificates to people whom nobody identified, who then pass for card holders.',
  remediation:
    'In the admin console open Security > Identity Providers. Add a smart-card identity provider if there is none, upload the certificate chain of a DoD-approved authority, build the chain, save, and activate the provider. Where the issuer is approved but unknown to the scanner, document the approval and add a pattern for it to the approved issuers in the configuration file.',
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
    'Where the organization does not use smart cards by a documented decision, mute the finding and record the decision.',
  needs: ['identityProviders'],
  evaluate: ({ snapshot, thresholds, dialect }) => {
    const providers = snapshot.identityProviders;
    if (providers.kind === 'unread') {
      const resource = unreadResource('directory-idps', providers.problem);
      return [unreadVerdict(providers.problem, resource, 'The identity providers')];
    }
    const smartCards = providers.value.filter(({ type }) => type?.toUpperCase() === 'X509');
    if (smartCards.length === 0) {
      const detail = `The ${dialect.title} organization has no smart-card identity provider (type X509); configure one with a DoD-approved certificate authority, or mute this finding with a documented exception.`;
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
  const label = `Smart-card identity provider "${name}"`;
  if (status?.toUpperCase() !== 'ACTIVE') {
    const detail = `${label} has the status ${status || 'unset'}; it must be ACTIVE. ${chain(provider)}`;
    return { status: 'FAIL', detail, resource };
  }
  // Unlike `test`, `search` does not remember where the last match of a global pattern ended.
  const pattern = approvedIssuers.find((approved) => issuer !== null && issuer.search(approved) !== -1);
  if (pattern === undefined) {
    const detail = `${label} is active, but its issuer matches no approved pattern; verify by hand that its authority is DoD-approved, or add a pattern for it to the approved issuers in the configuration file. ${chain(provider)}`;
    return { status: 'MANUAL', detail, resource };
  }
  const detail = `${label} is active and its issuer matches the approved pattern ${pattern.source}. ${chain(provider)}`;
  return { status: 'PASS', detail, resource };
}

function chain({ issuer, kid }: IdentityProvider): string {
  if (issuer === null && kid === null) {
    return 'The API does not show its certificate chain; look at it in the admin console.';
  }
  return `Its certificate chain has the issuer ${issuer ?? 'unset'} and the key id ${kid ?? 'unset'}.`;
}
