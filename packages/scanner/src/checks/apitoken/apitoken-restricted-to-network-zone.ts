import type { Read } from '../../directory/read-result.ts';
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
  title: 'API tokens can be used only from known network zones',
  description:
    'API tokens can be restricted to network zones, so that the directory rejects requests from other addresses. Every token must list at least one zone from which it can be used, and each listed zone must exist.',
  risk: 'A leaked token without a zone restriction can be used from anywhere, and its requests look like legitimate requests from the integration.',
  remediation:
    '1. Sign in to the admin console and go to Security > Networks. 2. Define the networks of your integrations as zones. 3. Go to Security > API > Tokens and edit a failing token. 4. Select "In any of the following zones" instead of "Any IP", add these zones and save. 5. Repeat these steps for every failing token.',
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
    'A token that only excludes zones counts as unrestricted. The check does not verify whether a zone is active or which addresses it covers.',
  needs: ['apiTokens', 'zones'],
  evaluate: (context) => {
    const known = knownZones(context.snapshot.zones);
    return evaluateTokens(context, ['networkZones'], (token) => evaluateNetwork(token, known));
  },
});

const ANY_IP: ReadonlySet<string> = new Set(['', 'ANYWHERE', 'ANY_IP']);
/** The value that represents all zones of the organization. */
const ALL_ZONES = 'ALL_ZONES';

/** Tokens refer to zones by ID or name. */
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
    const excluded = exclude.length > 0 ? `, only excluded zones (${exclude.join(', ')})` : '';
    return fail(`${label} does not list a network zone from which it can be used${excluded}`);
  }
  if (known.kind === 'unread') {
    const subject = `The network zones of ${label} (${include.join(', ')})`;
    return unreadVerdict(known.problem, tokenResource(token), subject);
  }
  const unknown = include.filter((zone) => !known.value.has(zone));
  const missing = unknown.filter((zone) => zone !== ALL_ZONES);
  if (missing.length > 0) {
    return fail(`${label} refers to unknown network zones: ${missing.join(', ')}`);
  }
  if (unknown.length > 0) {
    const detail = `${label} can be used from every network zone of the organization. Verify manually that this is intended.`;
    return { status: 'MANUAL', detail };
  }
  return {
    status: 'PASS',
    detail: `${label} can be used only from known network zones: ${include.join(', ')}.`,
  };
}

function fail(observed: string): TokenEvaluation {
  return { status: 'FAIL', detail: `${observed}. It must be restricted to at least one known network zone.` };
}
