import { defineCheck } from '../check.ts';
import { evaluateAuthenticator } from './find-authenticator.ts';

export const check = defineCheck({
  id: 'authenticator_smart_card_active',
  service: 'authenticator',
  severity: 'medium',
  title: 'A smart card authenticator is configured and active',
  description:
    'The smart card authenticator lets users sign in to the directory with a Personal Identity Verification (PIV) card or Common Access Card (CAC). It must exist and be active.',
  risk: 'If smart cards cannot be used, no policy can require them, and users fall back to passwords and other factors that can be phished.',
  remediation:
    '1. Sign in to the admin console and go to Security > Identity Providers. 2. Add a smart card identity provider with the certificate chain of your cards. 3. Go to Security > Authenticators and choose Add authenticator. 4. Add the Smart Card Authenticator with that identity provider and make sure that its status is active. 5. Require it in the appropriate sign-on policies.',
  references: [
    'https://help.okta.com/en-us/Content/Topics/Security/idp-smart-card-workflow.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Authenticator/',
    'https://csrc.nist.gov/pubs/fips/201-3/final',
  ],
  category: 'identity-access',
  stig: {
    requirement: '001670',
    group: 'V-273204',
    rule: 'SV-273204r1098879_rule',
    category: 'CAT II',
    ccis: ['001953', '002009', '002010'],
  },
  notes: 'If smart cards are out of scope for the organization, mute the finding and document the decision.',
  needs: ['authenticators'],
  evaluate: (context) => {
    const name = 'Smart Card IdP authenticator';
    return evaluateAuthenticator(context, { key: 'smart_card_idp', name }, (authenticator) => ({
      status: 'PASS',
      detail: `The ${name} "${authenticator.name}" is active.`,
    }));
  },
});
