import { defineCheck, unreadVerdict } from '../check.ts';
import { isActive } from '../policy-rules.ts';
import { unreadResource } from '../unread-resource.ts';

export const check = defineCheck({
  id: 'systemlog_streaming_enabled',
  service: 'systemlog',
  severity: 'high',
  title: 'An active log stream sends audit records to a central log server',
  description:
    'A log stream of the directory sends every record of its system log to a log server of the organization within seconds. At least one log stream has to be active.',
  risk: 'The directory keeps its system log for a limited time only. Without a copy elsewhere, records are lost before an incident is noticed, and sign-ins cannot be correlated with what other systems saw.',
  remediation:
    'In the admin console open Reports > Log Streaming, choose Add Log Stream, select the target and enter its settings, save, and see that the status of the stream is active. Where a central log server pulls the system log through the API instead, document that and mute the finding.',
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
    'A central log server that pulls the system log through the API satisfies the requirement too, but the scanner cannot see it; mute the finding there with the evidence.',
  needs: ['logStreams'],
  evaluate: ({ snapshot, dialect }) => {
    const { logStreams } = snapshot;
    if (logStreams.kind === 'unread') {
      const resource = unreadResource('directory-log-streams', logStreams.problem);
      return [unreadVerdict(logStreams.problem, resource, 'The log streams')];
    }
    const { length } = logStreams.value;
    if (length === 0) {
      const detail = `The ${dialect.title} organization has no log stream; add one, or mute this finding with evidence that a log server pulls the system log.`;
      return [{ status: 'FAIL', detail, resource: NO_STREAM }];
    }
    const active = logStreams.value.filter(isActive);
    if (active.length === 0) {
      const detail = `The ${dialect.title} organization has no active log stream (${length} configured); at least 1 must be active.`;
      return [{ status: 'FAIL', detail, resource: NO_ACTIVE_STREAM }];
    }
    return active.map((stream) => ({
      status: 'PASS',
      detail: `Log stream "${stream.name}" (type ${stream.type || 'unset'}) is active and sends the system log off, as required.`,
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
