import { defineCheck, type EvaluatedResource } from '../check.ts';
import { evaluateSessionLimit, minutes } from '../session-limit.ts';
import { unreadFirstPartyVerdict } from './super-administrator.ts';

export const check = defineCheck({
  id: 'application_admin_console_session_idle_timeout_15min',
  service: 'application',
  severity: 'medium',
  title: 'Admin console sessions expire after at most 15 minutes of inactivity',
  description:
    'The admin console is a first-party app with its own session settings. Its maximum idle time must be between 1 and 15 minutes, so that administrators who leave their workstations are signed out.',
  risk: "An unattended administrator session allows anyone with physical access to change policies, roles and authentication settings for the whole organization, without a password and under the administrator's identity.",
  remediation:
    '1. Sign in to the admin console and go to Applications > Applications. 2. Open the admin console app. 3. On the Sign On tab, edit the session settings of the app. 4. Set the maximum app session idle time to 15 minutes or less. 5. Save the settings.',
  references: [
    'https://help.okta.com/en-us/content/topics/security/policies/configure-admin-session.htm',
    'https://www.stigviewer.com/stigs/okta_identity_as_a_service_idaas_v1',
  ],
  category: 'identity-access',
  stig: {
    requirement: '000025',
    group: 'V-273187',
    rule: 'SV-273187r1098828_rule',
    category: 'CAT II',
    ccis: ['000057'],
  },
  notes:
    'Only the Super Administrator role can read these settings; with any other role the result is MANUAL. Timeouts shorter than 15 minutes also pass.',
  needs: ['adminConsoleSettings'],
  evaluate: ({ snapshot: { adminConsoleSettings }, thresholds, dialect }) => {
    const longest = thresholds.adminConsoleMaxIdleMinutes;
    const resource: EvaluatedResource = {
      id: 'directory-admin-console-app-settings',
      name: `${dialect.title} Admin Console (first-party app settings)`,
      data: adminConsoleSettings.kind === 'read' ? adminConsoleSettings.value : null,
    };
    if (adminConsoleSettings.kind === 'unread') {
      const subject = `The idle timeout of the ${dialect.title} Admin Console (required: 1 to ${minutes(longest)})`;
      return [unreadFirstPartyVerdict(adminConsoleSettings.problem, resource, subject, dialect)];
    }
    const { sessionIdleTimeoutMinutes } = adminConsoleSettings.value;
    const subject = `The idle timeout of the ${dialect.title} Admin Console`;
    return [{ ...evaluateSessionLimit(subject, sessionIdleTimeoutMinutes, longest), resource }];
  },
});
