import { defineCheck } from '../check.ts';
import { evaluateAuthenticator } from './find-authenticator.ts';

export const check = defineCheck({
  id: 'authenticator_directory_verify_fips_compliant',
  service: 'authenticator',
  severity: 'medium',
  title: "The directory's own authenticator app is active and restricted to FIPS-compliant devices",
  description:
    "The directory's own authenticator app, Verify, proves possession of a phone or computer. It has to be active, and only devices whose cryptography complies with FIPS may enroll in it.",
  risk: 'On other devices the keys of the authenticator may be made and kept by cryptographic modules that nobody has validated. A weak module lets an attacker forge the second factor, and regulated organizations may not rely on it.',
  remediation:
    'In the admin console open Security > Authenticators and add or activate Verify. Choose Actions > Edit beside it, set FIPS compliance so that users can enroll with FIPS-compliant devices only, and save.',
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
    'Where the organization does not use this authenticator by a documented decision, mute the finding and record the decision.',
  wording: {
    okta: {
      title: 'Okta Verify is active and restricted to FIPS-compliant devices',
      description:
        "Okta Verify, Okta's own authenticator app, proves possession of a phone or computer. It has to be active, and only devices whose cryptography complies with FIPS may enroll in it.",
      risk: 'On other devices the keys of Okta Verify may be made and kept by cryptographic modules that nobody has validated. A weak module lets an attacker forge the second factor, and regulated organizations may not rely on it.',
      remediation:
        'In the admin console open Security > Authenticators and add or activate Okta Verify. Choose Actions > Edit beside it, set FIPS compliance so that users can enroll with FIPS-compliant devices only, and save.',
      notes:
        'Where the organization does not use Okta Verify by a documented decision, mute the finding and record the decision.',
    },
  },
  needs: ['authenticators'],
  evaluate: (context) => {
    const { title, verifyAuthenticator } = context.dialect;
    const name = `${title} Verify authenticator`;
    return evaluateAuthenticator(context, { key: verifyAuthenticator, name }, ({ fips }) => {
      const setting = `has its FIPS compliance set to ${fips || 'unset'}`;
      return fips?.toUpperCase() === 'REQUIRED'
        ? { status: 'PASS', detail: `The ${name} is active and ${setting}, as required.` }
        : { status: 'FAIL', detail: `The ${name} is active but ${setting}; it must be REQUIRED.` };
    });
  },
});
