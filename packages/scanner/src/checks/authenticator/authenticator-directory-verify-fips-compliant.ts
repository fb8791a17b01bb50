import { defineCheck } from '../check.ts';
import { evaluateAuthenticator } from './find-authenticator.ts';

export const check = defineCheck({
  id: 'authenticator_directory_verify_fips_compliant',
  service: 'authenticator',
  severity: 'medium',
  title: "The directory's own authenticator app is active and restricted to FIPS-compliant devices",
  description:
    "The directory's own authenticator app, Verify, proves possession of a phone or computer. It must be active, and only devices with FIPS-compliant cryptography may enroll.",
  risk: 'On other devices, cryptographic modules that have not been validated may generate and store the authenticator keys. A weak module lets an attacker forge the second factor, and regulated organizations are not permitted to rely on unvalidated modules.',
  remediation:
    '1. Sign in to the admin console and go to Security > Authenticators. 2. Add or activate Verify. 3. Choose Actions > Edit next to it. 4. Set FIPS compliance so that users can enroll only with FIPS-compliant devices, and save.',
  references: [
    'https://help.okta.com/oie/en-us/content/topics/identity-engine/authenticators/configure-okta-verify-options.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Authenticator/',
    'https://csrc.nist.gov/pubs/fips/140-3/final',
  ],
  category: 'identity-access',
  stig: {
    requirement: '001700',
    group: 'V-273205',
    rule: 'SV-273205r1098882_rule',
    category: 'CAT II',
    ccis: ['001967'],
  },
  notes:
    'If the organization has decided not to use this authenticator, mute the finding and document the decision.',
  wording: {
    okta: {
      title: 'Okta Verify is active and restricted to FIPS-compliant devices',
      description:
        "Okta Verify, Okta's own authenticator app, proves possession of a phone or computer. It must be active, and only devices with FIPS-compliant cryptography may enroll.",
      risk: 'On other devices, cryptographic modules that have not been validated may generate and store the Okta Verify keys. A weak module lets an attacker forge the second factor, and regulated organizations are not permitted to rely on unvalidated modules.',
      remediation:
        '1. Sign in to the admin console and go to Security > Authenticators. 2. Add or activate Okta Verify. 3. Choose Actions > Edit next to it. 4. Set FIPS compliance so that users can enroll only with FIPS-compliant devices, and save.',
      notes:
        'If the organization has decided not to use Okta Verify, mute the finding and document the decision.',
    },
  },
  needs: ['authenticators'],
  evaluate: (context) => {
    const { title, verifyAuthenticator } = context.dialect;
    const name = `${title} Verify authenticator`;
    return evaluateAuthenticator(context, { key: verifyAuthenticator, name }, ({ fips }) => {
      const setting = `its FIPS compliance setting is ${fips || 'unset'}`;
      return fips?.toUpperCase() === 'REQUIRED'
        ? { status: 'PASS', detail: `The ${name} is active and ${setting}.` }
        : { status: 'FAIL', detail: `The ${name} is active, but ${setting}. It must be REQUIRED.` };
    });
  },
});
