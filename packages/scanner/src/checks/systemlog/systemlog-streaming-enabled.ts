import { defineCheck, unreadResource, unreadVerdict } from '../check.ts';
import { isActive } from '../policy-rules.ts';

export const check = defineCheck({
  id: 'systemlog_streaming_enabled',
  service: 'systemlog',
  severity: 'high',
  title: 'An active log stream sends audit records to a central log server',
  description:
    "A log stream forwards system log records to the organization's log server in near real time. At least one log stream must be active.",
  risk: 'The directory retains its system log only for a limited time. Without a copy elsewhere, records can be lost before an incident is detected, and sign-ins cannot be correlated with events from other systems.',
  remediation:
    '1. Sign in to the admin console and go to Reports > Log Streaming. 2. Choose Add Log Stream, select the target and enter its settings. 3. Save, and make sure that the status of the stream is active. 4. If a central log server pulls the system log through the API instead, document this and mute the finding.',
  references: [
    'https://help.okta.com/en-us/Content/Topics/Reports/log-streaming/about-log-streams.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/LogStream/',
    'https://csrc.nist.gov/pubs/sp/800/92/final',
  ],
  category: 'logging',
  stig: {
    requirement: '001430',
    group: 'V-273202',
    rule: 'SV-273202r1099766_rule',
    category: 'CAT I',
    ccis: ['001851', '000166', '001348'],
  },
  notes:
    'A central log server that pulls the system log through the API also satisfies the requirement, but the scanner cannot detect it. In that case, mute the finding and document the evidence.',
  needs: ['logStreams'],
  evaluate: ({ snapshot, dialect }) => {
    const { logStreams } = snapshot;
    if (logStreams.kind === 'unread') {
      const resource = unreadResource('directory-log-streams', logStreams.problem);
      return [unreadVerdict(logStreams.problem, resource, 'The log streams')];
    }
    const { length } = logStreams.value;
    if (length === 0) {
      const detail = `The ${dialect.title} organization has no log stream. Add one, or mute this finding with evidence that a log server pulls the system log through the API.`;
      return [{ status: 'FAIL', detail, resource: NO_STREAM }];
    }
    const active = logStreams.value.filter(isActive);
    if (active.length === 0) {
      const detail = `The ${dialect.title} organization has no active log stream (${length} configured). At least one must be active.`;
      return [{ status: 'FAIL', detail, resource: NO_ACTIVE_STREAM }];
    }
    return active.map((stream) => ({
      status: 'PASS',
      detail: `Log stream "${stream.name}" (type ${stream.type || 'unset'}) is active and exports the system log.`,
      resource: { id: stream.id, name: stream.name, data: stream },
    }));
  },
});

const NO_STREAM = {
  id: 'directory-log-streams-missing',
  name: '(no Log Streams configured)',
  data: null,
} as const;
const NO_ACTIVE_STREAM = {
  id: 'directory-log-streams-inactive',
  name: '(no active Log Streams)',
  data: null,
} as const;
