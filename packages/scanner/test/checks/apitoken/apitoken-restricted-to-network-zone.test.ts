import { describe, it } from 'node:test';
import { check } from '../../../src/checks/apitoken/apitoken-restricted-to-network-zone.ts';
import { type Read, read, unread } from '../../../src/directory/read.ts';
import type { ApiToken, NetworkCondition, Zone } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../judging.ts';
import { zone } from '../network/zone.ts';
import { apiToken, tokens, tokensUnread } from './api-token.ts';

const ZONES: Read<readonly Zone[]> = read([
  zone({ id: 'zone-1', name: 'Data centre', usage: 'POLICY' }),
  zone({ id: 'zone-2', name: 'Office', usage: 'POLICY', status: 'INACTIVE' }),
]);
const judge = (token: ApiToken, zones = ZONES) => check.judge(contextOf({ apiTokens: tokens(token), zones }));
const judgeNetwork = (network: Partial<NetworkCondition>, zones = ZONES) =>
  judge(apiToken({ network }), zones);
const noZones = unread<readonly Zone[]>(scopeMissing('directory.networkZones.read'));

describe(check.id, () => {
  it('passes a token that is bound to zones known by id or by name, inactive ones too', () => {
    assertVerdicts(judgeNetwork({ include: ['zone-1', 'Office'] }), [
      'PASS',
      'tok-1',
      /only: zone-1, Office\./,
    ]);
  });

  it('fails a token that any IP address may use', () => {
    for (const connection of ['ANYWHERE', 'anywhere', 'ANY_IP', '', null]) {
      assertVerdicts(judgeNetwork({ connection }), [
        'FAIL',
        'tok-1',
        /"Sync" can be used from any IP address/,
      ]);
    }
    assertVerdicts(judgeNetwork({ connection: null }), ['FAIL', 'tok-1', /connection unset/]);
  });

  it('fails a token without an included zone, also where zones are excluded', () => {
    assertVerdicts(judgeNetwork({ include: [] }), ['FAIL', 'tok-1', /names no network zone/]);
    assertVerdicts(judgeNetwork({ include: [], exclude: ['zone-1'] }), [
      'FAIL',
      'tok-1',
      /only excluded ones \(zone-1\)/,
    ]);
  });

  it('fails a token that names a zone which does not exist, and names only that zone', () => {
    assertVerdicts(judgeNetwork({ include: ['zone-1', 'zone-9'] }), [
      'FAIL',
      'tok-1',
      /does not have: zone-9;/,
    ]);
    assertVerdicts(judgeNetwork({ include: ['zone-1'] }, read([])), [
      'FAIL',
      'tok-1',
      /does not have: zone-1;/,
    ]);
  });

  it('is manual for a token that every zone of the organization may use', () => {
    assertVerdicts(judgeNetwork({ include: ['ALL_ZONES'] }), ['MANUAL', 'tok-1', /every network zone/]);
    assertVerdicts(judgeNetwork({ include: ['ALL_ZONES', 'zone-9'] }), [
      'FAIL',
      'tok-1',
      /does not have: zone-9;/,
    ]);
  });

  it('is manual for a bound token when the zones could not be read', () => {
    assertVerdicts(judgeNetwork({}, noZones), ['MANUAL', 'tok-1', /zone-1/, /directory\.networkZones\.read/]);
    for (const { problem, says } of FAILED_READS) {
      assertVerdicts(judgeNetwork({}, unread(problem)), ['MANUAL', 'tok-1', says]);
    }
  });

  it('still fails tokens that fail without the zones', () => {
    assertVerdicts(judgeNetwork({ connection: 'ANYWHERE' }, noZones), ['FAIL', 'tok-1']);
    assertVerdicts(judgeNetwork({ include: [] }, noZones), ['FAIL', 'tok-1']);
  });

  it('passes once when the organization has no tokens, whether or not the zones were read', () => {
    for (const zones of [ZONES, noZones]) {
      assertVerdicts(check.judge(contextOf({ apiTokens: tokens(), zones })), ['PASS', 'api-tokens-none']);
    }
  });

  it('is manual and names both scopes when that of the tokens is missing', () => {
    const apiTokens = tokensUnread(scopeMissing('directory.apiTokens.read'));
    assertVerdicts(check.judge(contextOf({ apiTokens, zones: ZONES })), [
      'MANUAL',
      'api-tokens-scope-missing',
      /directory\.apiTokens\.read/,
      /also needs directory\.networkZones\.read\.$/,
    ]);
  });

  it('is manual with the reason when the tokens could not be read', () => {
    for (const { problem, says } of FAILED_READS) {
      const verdicts = check.judge(contextOf({ apiTokens: tokensUnread(problem), zones: ZONES }));
      assertVerdicts(verdicts, ['MANUAL', 'api-tokens-retrieval-error', says]);
    }
  });
});
