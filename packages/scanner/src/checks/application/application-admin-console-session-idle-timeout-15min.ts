import { defineCheck, type EvaluatedResource } from '../check.ts';
import { evaluateSessionLimit, minutes } from '../session-limit.ts';
import { unreadFirstPartyVerdict } from './super-administrator.ts';

export const check = defineCheck({
  id: 'application_admin_console_session_idle_timeout_15min',
  service: 'application',
  severity: 'medium',
  title: 'The admin console ends idle sessions after at most 15 minutes',
  description:
    'The admin console is a first-party app with session settings of its own. This check asks that its maximum idle time is between 1 and 15 minutes, so that an administrator who walks away is signed out of the console.',
  risk: "An administrator's session on an unattended desk lets whoever sits down change policies, roles and sign-in methods for the whole organization, without a password and in the administrator's name.",
  remediation:
    '1. Sign in to the admin console and go to Applications > Applications. 2. Open the app of the admin console. 3. On the Sign On tab, edit the section about the session of the admin console. 4. Set the maximum app session idle time to 15 minutes or less. 5. Save.',
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
    'Only the role Super Administrator may read these settings; with any other role the check is MANUAL. The check accepts a shorter timeout than 15 minutes.',
  needs: ['adminConsoleSettings'],
  evaluate: ({ snapshot: { adminConsoleSettings }, thresholds, dialect }) => {
    const longest = thresholds.adminConsoleMaxIdleMinutes;
    const resource: EvaluatedResource = {
      id: 'directory-admin-console-app-settings',
      name: `${dialect.title} Admin Console (first-party app settings)`,
      data: adminConsoleSettings.kind === 'read' ? adminConsoleSettings.value : null,
    };
    if (adminConsoleSettings.kind === 'unread') {
      const what = `The idle timeout of the ${dialect.title} Admin Console, for which a limit of 1 to ${minutes(longest)} is required,`;
      return [unreadFirstPartyVerdict(adminConsoleSettings.problem, resource, what, dialect)];
    }
    const { sessionIdleTimeoutMinutes } = adminConsoleSettings.value;
    const subject = `The idle timeout of the ${dialect.title} Admin Console`;
    return [{ ...evaluateSessionLimit(subject, sessionIdleTimeoutMinutes, longest), resource }];
  },
});
