import { check as apitokenNotSuperAdmin } from './apitoken/apitoken-not-super-admin.ts';
import { check as apitokenRestrictedToNetworkZone } from './apitoken/apitoken-restricted-to-network-zone.ts';
import { check as applicationAdminConsoleMfaRequired } from './application/application-admin-console-mfa-required.ts';
import { check as applicationAdminConsolePhishingResistantAuthentication } from './application/application-admin-console-phishing-resistant-authentication.ts';
import { check as applicationAdminConsoleSessionIdleTimeout15min } from './application/application-admin-console-session-idle-timeout-15min.ts';
import { check as applicationAuthenticationPolicyNetworkZoneEnforced } from './application/application-authentication-policy-network-zone-enforced.ts';
import { check as applicationDashboardMfaRequired } from './application/application-dashboard-mfa-required.ts';
import { check as applicationDashboardPhishingResistantAuthentication } from './application/application-dashboard-phishing-resistant-authentication.ts';
import { check as authenticatorDirectoryVerifyFipsCompliant } from './authenticator/authenticator-directory-verify-fips-compliant.ts';
import { check as authenticatorPasswordCommonPasswordCheck } from './authenticator/authenticator-password-common-password-check.ts';
import { check as authenticatorPasswordComplexityLowercase } from './authenticator/authenticator-password-complexity-lowercase.ts';
import { check as authenticatorPasswordComplexityNumber } from './authenticator/authenticator-password-complexity-number.ts';
import { check as authenticatorPasswordComplexitySymbol } from './authenticator/authenticator-password-complexity-symbol.ts';
import { check as authenticatorPasswordComplexityUppercase } from './authenticator/authenticator-password-complexity-uppercase.ts';
import { check as authenticatorPasswordHistory5 } from './authenticator/authenticator-password-history-5.ts';
import { check as authenticatorPasswordLockoutThreshold3 } from './authenticator/authenticator-password-lockout-threshold-3.ts';
import { check as authenticatorPasswordMaximumAge60d } from './authenticator/authenticator-password-maximum-age-60d.ts';
import { check as authenticatorPasswordMinimumAge24h } from './authenticator/authenticator-password-minimum-age-24h.ts';
import { check as authenticatorPasswordMinimumLength15 } from './authenticator/authenticator-password-minimum-length-15.ts';
import { check as authenticatorSmartCardActive } from './authenticator/authenticator-smart-card-active.ts';
import type { Check } from './check.ts';
import { check as idpSmartCardDodApprovedCa } from './idp/idp-smart-card-dod-approved-ca.ts';
import { check as networkZoneBlockAnonymizedProxies } from './network/network-zone-block-anonymized-proxies.ts';
import { check as signonDodWarningBannerConfigured } from './signon/signon-dod-warning-banner-configured.ts';
import { check as signonGlobalSessionCookiesNotPersistent } from './signon/signon-global-session-cookies-not-persistent.ts';
import { check as signonGlobalSessionIdleTimeout15min } from './signon/signon-global-session-idle-timeout-15min.ts';
import { check as signonGlobalSessionLifetime18h } from './signon/signon-global-session-lifetime-18h.ts';
import { check as signonGlobalSessionPolicyNetworkZoneEnforced } from './signon/signon-global-session-policy-network-zone-enforced.ts';
import { check as systemlogStreamingEnabled } from './systemlog/systemlog-streaming-enabled.ts';
import { check as userInactivityAutomation35dEnabled } from './user/user-inactivity-automation-35d-enabled.ts';

/** All checks, sorted by service and ID. */
export const ALL_CHECKS: readonly Check[] = [
  apitokenNotSuperAdmin,
  apitokenRestrictedToNetworkZone,
  applicationAdminConsoleMfaRequired,
  applicationAdminConsolePhishingResistantAuthentication,
  applicationAdminConsoleSessionIdleTimeout15min,
  applicationAuthenticationPolicyNetworkZoneEnforced,
  applicationDashboardMfaRequired,
  applicationDashboardPhishingResistantAuthentication,
  authenticatorDirectoryVerifyFipsCompliant,
  authenticatorPasswordCommonPasswordCheck,
  authenticatorPasswordComplexityLowercase,
  authenticatorPasswordComplexityNumber,
  authenticatorPasswordComplexitySymbol,
  authenticatorPasswordComplexityUppercase,
  authenticatorPasswordHistory5,
  authenticatorPasswordLockoutThreshold3,
  authenticatorPasswordMaximumAge60d,
  authenticatorPasswordMinimumAge24h,
  authenticatorPasswordMinimumLength15,
  authenticatorSmartCardActive,
  idpSmartCardDodApprovedCa,
  networkZoneBlockAnonymizedProxies,
  signonDodWarningBannerConfigured,
  signonGlobalSessionCookiesNotPersistent,
  signonGlobalSessionIdleTimeout15min,
  signonGlobalSessionLifetime18h,
  signonGlobalSessionPolicyNetworkZoneEnforced,
  systemlogStreamingEnabled,
  userInactivityAutomation35dEnabled,
];
