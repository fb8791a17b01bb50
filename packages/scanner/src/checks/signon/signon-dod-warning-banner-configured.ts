import type { Brand, SignInPage } from '../../directory/snapshot.ts';
import { defineCheck, type EvaluatedResource, unreadVerdict, type Verdict } from '../check.ts';
import type { Outcome } from '../session-limit.ts';
import { unreadResource } from '../unread-resource.ts';
import { findBannerMarks } from './consent-banner.ts';

const NO_BRAND: EvaluatedResource = { id: 'no-brands-detected', name: '(no brands detected)', data: null };

export const check = defineCheck({
  id: 'signon_dod_warning_banner_configured',
  service: 'signon',
  severity: 'informational',
  title: 'The sign-in page of every brand shows the DoD notice and consent banner',
  description:
    'Systems of the U.S. Department of Defense show the Standard Mandatory DoD Notice and Consent Banner of DTM-08-060 before anybody signs in. This check reads the sign-in page of every brand, the customized one where there is one and the default one otherwise, and looks for the four marks of the banner: the U.S. Government, an information system, authorized use, and monitoring.',
  risk: 'Without the banner users have not consented to being monitored, which weakens the legal ground for watching, investigating and prosecuting misuse, and nobody is told on whose system they are.',
  remediation:
    '1. Sign in to the admin console and go to Customizations > Brands. 2. Select a brand, open Pages and configure its sign-in page. 3. Put the full text of the banner of DTM-08-060 where users see it before they sign in. 4. Save the page to a draft, look at the preview and publish it. 5. Repeat this for every brand.',
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
    'The banner is for systems of the U.S. Department of Defense; other organizations may mute this check. The marks show that the banner is there, not that its text is complete: compare it with DTM-08-060 by hand.',
  needs: ['brands'],
  evaluate: ({ snapshot: { brands }, dialect }) => {
    if (brands.kind === 'unread') {
      return [unreadVerdict(brands.problem, unreadResource('signon-brands', brands.problem), 'The brands')];
    }
    if (brands.value.length === 0) {
      const detail = `${dialect.title} returned no brands, so there is no sign-in page to evaluate. Open the sign-in page of the organization and verify the banner by hand.`;
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
      detail: `${page} came without content. Look at it and verify the banner by hand.`,
    };
  }
  const { total, missing } = findBannerMarks(content);
  if (missing.length === 0) {
    return {
      status: 'PASS',
      detail: `${page} has ${total} of the ${total} marks of the DoD notice and consent banner, and all are required.`,
    };
  }
  const found = total - missing.length;
  return {
    status: 'FAIL',
    detail: `${page} has ${found} of the ${total} marks of the DoD notice and consent banner, and all are required; missing: ${missing.join(', ')}.`,
  };
}
