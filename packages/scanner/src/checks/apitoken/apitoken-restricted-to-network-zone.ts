import type { Read } from '../../directory/read.ts';
import type { ApiToken, Zone } from '../../directory/snapshot.ts';
import { defineCheck, unreadVerdict } from '../check.ts';
import {
  API_TOKEN_REFERENCES,
  evaluateTokens,
  type TokenEvaluation,
  tokenResource,
} from './token-verdicts.ts';

export const check = defineCheck({
  id: 'apitoken_restricted_to_network_zone',
  service: 'apitoken',
  severity: 'medium',
  title: 'Every API token can be used from known network zones only',
  description:
    'An API token can be bound to network zones, so that the directory refuses calls from elsewhere. Every token has to name at least one zone from which it may be used, and each of these zones has to exist.',
  risk: 'A leaked token that is bound to no zone can be used from anywhere, and the calls look like those of the integration that it was made for.',
  remediation:
    'In the admin console define the networks of your integrations under Security > Networks. Then open Security > API > Tokens, edit each token that fails, choose In any of the following zones instead of Any IP, name those zones, and save.',
  references: [
    ...API_TOKEN_REFERENCES,
    'https://help.okta.com/en-us/Content/Topics/security/network/about-network-zones.htm',
  ],
  category: 'identity-access',
  stig: {
    requirement: '003240',
    group: 'V-279689',
    rule: 'SV-279689r1155066_rule',
    category: 'CAT II',
    ccis: ['005165', '000366'],
  },
  notes:
    'Zones that are only excluded do not restrict a token. Whether a zone is active, and what it covers, is not checked.',
  needs: ['apiTokens', 'zones'],
  evaluate: (context) => {
    const known = knownZones(context.snapshot.zones);
    return evaluateTokens(context, ['networkZones'], (token) => evaluateNetwork(token, known));
  },
});

const ANY_IP: ReadonlySet<string> = new Set(['', 'ANYWHERE', 'ANY_IP']);
/** Stands for every zone that the organization defines. */
const ALL_ZONES = 'ALL_ZONES';

/** Tokens name zones by id or by name. */
function knownZones(zones: Read<readonly Zone[]>): Read<ReadonlySet<string>> {
  if (zones.kind === 'unread') return zones;
  return { kind: 'read', value: new Set(zones.value.flatMap(({ id, name }) => [id, name])) };
}

function evaluateNetwork(token: ApiToken, known: Read<ReadonlySet<string>>): TokenEvaluation {
  const { connection, include, exclude } = token.network;
  const label = `API token "${token.name}"`;
  if (ANY_IP.has((connection ?? '').toUpperCase())) {
    return fail(`${label} can be used from any IP address (connection ${connection || 'unset'})`);
  }
  if (include.length === 0) {
    const excluded = exclude.length > 0 ? `, only excluded ones (${exclude.join(', ')})` : '';
    return fail(`${label} names no network zone from which it may be used${excluded}`);
  }
  if (known.kind === 'unread') {
    const what = `The network zones to which ${label} is bound (${include.join(', ')})`;
    return unreadVerdict(known.problem, tokenResource(token), what);
  }
  const unknown = include.filter((zone) => !known.value.has(zone));
  const missing = unknown.filter((zone) => zone !== ALL_ZONES);
  if (missing.length > 0) {
    return fail(`${label} names network zones that the organization does not have: ${missing.join(', ')}`);
  }
  if (unknown.length > 0) {
    const detail = `${label} can be used from every network zone that the organization defines; verify by hand that all of them are meant for it.`;
    return { status: 'MANUAL', detail };
  }
  return {
    status: 'PASS',
    detail: `${label} can be used from known network zones only: ${include.join(', ')}.`,
  };
}

function fail(observed: string): TokenEvaluation {
  return { status: 'FAIL', detail: `${observed}; it must be bound to at least one known zone.` };
}
