import { describe, it } from 'node:test';
import { check } from '../../../src/checks/apitoken/apitoken-restricted-to-network-zone.ts';
import { type Read, read, unread } from '../../../src/directory/read-result.ts';
import type { ApiToken, NetworkCondition, Zone } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';
import { zone } from '../network/zone.ts';
import { apiToken, tokens, tokensUnread } from './api-token.ts';

const ZONES: Read<readonly Zone[]> = read([
  zone({ id: 'zone-1', name: 'Data centre', usage: 'POLICY' }),
  zone({ id: 'zone-2', name: 'Office', usage: 'POLICY', status: 'INACTIVE' }),
]);
const evaluate = (token: ApiToken, zones = ZONES) =>
  check.evaluate(contextOf({ apiTokens: tokens(token), zones }));
const evaluateNetwork = (network: Partial<NetworkCondition>, zones = ZONES) =>
  evaluate(apiToken({ network }), zones);
const noZones = unread<readonly Zone[]>(scopeMissing('directory.networkZones.read'));

describe(check.id, () => {
  it('passes a token restricted to zones by ID or name, including inactive zones', () => {
    assertVerdicts(evaluateNetwork({ include: ['zone-1', 'Office'] }), [
      'PASS',
      'tok-1',
      /zones: zone-1, Office\./,
    ]);
  });

  it('fails a token that can be used from any IP address', () => {
    for (const connection of ['ANYWHERE', 'anywhere', 'ANY_IP', '', null]) {
      assertVerdicts(evaluateNetwork({ connection }), [
        'FAIL',
        'tok-1',
        /"Sync" can be used from any IP address/,
      ]);
    }
    assertVerdicts(evaluateNetwork({ connection: null }), ['FAIL', 'tok-1', /connection unset/]);
  });

  it('fails a token without an included zone, even if it excludes zones', () => {
    assertVerdicts(evaluateNetwork({ include: [] }), ['FAIL', 'tok-1', /does not list a network zone/]);
    assertVerdicts(evaluateNetwork({ include: [], exclude: ['zone-1'] }), [
      'FAIL',
      'tok-1',
      /only excluded zones \(zone-1\)/,
    ]);
  });

  it('fails a token with an unknown zone and reports only that zone', () => {
    assertVerdicts(evaluateNetwork({ include: ['zone-1', 'zone-9'] }), [
      'FAIL',
      'tok-1',
      /unknown network zones: zone-9\./,
    ]);
    assertVerdicts(evaluateNetwork({ include: ['zone-1'] }, read([])), [
      'FAIL',
      'tok-1',
      /unknown network zones: zone-1\./,
    ]);
  });

  it('returns MANUAL for a token that can be used from every zone', () => {
    assertVerdicts(evaluateNetwork({ include: ['ALL_ZONES'] }), ['MANUAL', 'tok-1', /every network zone/]);
    assertVerdicts(evaluateNetwork({ include: ['ALL_ZONES', 'zone-9'] }), [
      'FAIL',
      'tok-1',
      /unknown network zones: zone-9\./,
    ]);
  });

  it('returns MANUAL for a restricted token if the zones could not be read', () => {
    assertVerdicts(evaluateNetwork({}, noZones), [
      'MANUAL',
      'tok-1',
      /zone-1/,
      /directory\.networkZones\.read/,
    ]);
    for (const { problem, pattern } of FAILED_READS) {
      assertVerdicts(evaluateNetwork({}, unread(problem)), ['MANUAL', 'tok-1', pattern]);
    }
  });

  it('fails unrestricted tokens even if the zones could not be read', () => {
    assertVerdicts(evaluateNetwork({ connection: 'ANYWHERE' }, noZones), ['FAIL', 'tok-1']);
    assertVerdicts(evaluateNetwork({ include: [] }, noZones), ['FAIL', 'tok-1']);
  });

  it('returns one PASS if the organization has no tokens, even if the zones could not be read', () => {
    for (const zones of [ZONES, noZones]) {
      assertVerdicts(check.evaluate(contextOf({ apiTokens: tokens(), zones })), ['PASS', 'api-tokens-none']);
    }
  });

  it('returns MANUAL and reports both required scopes if the scope for API tokens is missing', () => {
    const apiTokens = tokensUnread(scopeMissing('directory.apiTokens.read'));
    assertVerdicts(check.evaluate(contextOf({ apiTokens, zones: ZONES })), [
      'MANUAL',
      'api-tokens-scope-missing',
      /directory\.apiTokens\.read/,
      /also needs the scope directory\.networkZones\.read\.$/,
    ]);
  });

  it('returns MANUAL with the reason when the tokens could not be read', () => {
    for (const { problem, pattern } of FAILED_READS) {
      const verdicts = check.evaluate(contextOf({ apiTokens: tokensUnread(problem), zones: ZONES }));
      assertVerdicts(verdicts, ['MANUAL', 'api-tokens-retrieval-error', pattern]);
    }
  });
});
