import type { Brand, SignInPage } from '../../directory/snapshot.ts';
import {
  defineCheck,
  type EvaluatedResource,
  unreadResource,
  unreadVerdict,
  type Verdict,
} from '../check.ts';
import type { Outcome } from '../session-limit.ts';
import { findBannerPhrases } from './consent-banner.ts';

const NO_BRAND: EvaluatedResource = { id: 'no-brands-detected', name: '(no brands detected)', data: null };

export const check = defineCheck({
  id: 'signon_dod_warning_banner_configured',
  service: 'signon',
  severity: 'informational',
  title: 'The sign-in page of every brand displays the DoD notice and consent banner',
  description:
    'U.S. Department of Defense systems must display the Standard Mandatory DoD Notice and Consent Banner (DTM-08-060) before users sign in. For each brand, the check searches the customized sign-in page, or the default page if the page is not customized, for four phrases of the banner: U.S. Government, information system, authorized use, and monitoring.',
  risk: 'Without the banner, users have not consented to monitoring. This weakens the legal basis for investigating and prosecuting misuse, and users are not informed that they are accessing a government system.',
  remediation:
    '1. Sign in to the admin console and go to Customizations > Brands. 2. Select a brand, open Pages and configure its sign-in page. 3. Add the full text of the DTM-08-060 banner so that users see it before they sign in. 4. Save the page as a draft, review the preview and publish it. 5. Repeat these steps for every brand.',
  references: [
    'https://developer.okta.com/docs/guides/custom-widget/main/',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/CustomPages/',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '000200',
    group: 'V-273192',
    rule: 'SV-273192r1098843_rule',
    category: 'CAT II',
    ccis: ['000048', '000050', '001384', '001385', '001386', '001387', '001388'],
  },
  notes:
    'The banner applies only to U.S. Department of Defense systems; other organizations can mute this check. The phrases show that the banner is present, but not that its text is complete. Compare the page with DTM-08-060 manually.',
  needs: ['brands'],
  evaluate: ({ snapshot: { brands }, dialect }) => {
    if (brands.kind === 'unread') {
      return [unreadVerdict(brands.problem, unreadResource('signon-brands', brands.problem), 'The brands')];
    }
    if (brands.value.length === 0) {
      const detail = `${dialect.title} returned no brands, so there is no sign-in page to evaluate. Verify the banner on the organization's sign-in page manually.`;
      return [{ status: 'MANUAL', detail, resource: NO_BRAND }];
    }
    return brands.value.map(evaluateBrand);
  },
});

function evaluateBrand(brand: Brand): Verdict {
  const name = brand.name || brand.id;
  const resource: EvaluatedResource = { id: brand.id, name, data: brand };
  const { signInPage } = brand;
  return signInPage.kind === 'unread'
    ? unreadVerdict(signInPage.problem, resource, `The sign-in page of brand "${name}"`)
    : { ...evaluatePage(signInPage.value, name), resource };
}

function evaluatePage({ kind, content }: SignInPage, brandName: string): Outcome {
  const page = `The ${kind} sign-in page of brand "${brandName}"`;
  if (content === null || content.trim() === '') {
    return {
      status: 'MANUAL',
      detail: `${page} has no content in the API response. Verify the banner manually.`,
    };
  }
  const { total, missing } = findBannerPhrases(content);
  if (missing.length === 0) {
    return {
      status: 'PASS',
      detail: `${page} contains all ${total} phrases of the DoD notice and consent banner.`,
    };
  }
  const found = total - missing.length;
  return {
    status: 'FAIL',
    detail: `${page} contains ${found} of the ${total} required phrases of the DoD notice and consent banner. Missing: ${missing.join(', ')}.`,
  };
}
