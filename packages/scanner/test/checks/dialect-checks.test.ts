import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_CHECKS } from '../../src/checks/all-checks.ts';
import { checksForDialect } from '../../src/checks/dialect-checks.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';
import {
  checkIdForDialect,
  checkIds,
  resourceNames,
  textForDialect,
} from '../../src/directory/dialect-names.ts';

const { okta, directory } = DIALECTS;
/** Product names that contain `directory` are not replaced. */
const OTHERS = /Active Directory|LDAP directory|(?:an|the|from) external directory/g;

test('--dialect directory leaves checks unchanged', () => {
  assert.deepEqual(checksForDialect(directory), ALL_CHECKS);
});

test('with --dialect okta, check descriptions do not mention a directory', () => {
  const checks = checksForDialect(okta);
  assert.equal(checks.length, ALL_CHECKS.length);
  for (const { id, title, description, risk, remediation, notes } of checks)
    for (const text of [id, title, description, risk, remediation, notes])
      assert.doesNotMatch(text.replaceAll(OTHERS, ''), /directory/i, `${id}: ${text}`);
});

test('with --dialect okta, the authenticator app check refers to Okta Verify', () => {
  const check = checksForDialect(okta).find(({ id }) => id === 'authenticator_okta_verify_fips_compliant');
  assert.match(check?.title ?? '', /^Okta Verify is active/);
  assert.match(check?.remediation ?? '', /Okta Admin Console.*activate Okta Verify/);
});

test('resource placeholders use the vendor name, while API resources are unchanged', () => {
  const unread = { kind: 'unread', problem: { cause: 'role', scope: null, detail: 'refused' } } as const;
  const verdictOf = (id: string, snapshot: object) => {
    const check = checksForDialect(okta).find((candidate) => candidate.id === id) ?? assert.fail();
    const thresholds = { maxInactivityDays: 35, adminConsoleMaxIdleMinutes: 15 };
    const context = Object.assign({ thresholds, dialect: okta, snapshot });
    return check.evaluate(context).map(({ resource }) => [resource.id, resource.name]);
  };
  const zones = (value: readonly object[]) => ({ zones: { kind: 'read', value } });
  assert.deepEqual(verdictOf('network_zone_block_anonymized_proxies', zones([])), [
    ['okta-network-zones', 'Okta Network Zones'],
  ]);
  assert.deepEqual(verdictOf('systemlog_streaming_enabled', { logStreams: unread }), [
    ['okta-log-streams-retrieval-error', '(retrieval failed)'],
  ]);
  assert.deepEqual(
    verdictOf('application_admin_console_session_idle_timeout_15min', { adminConsoleSettings: unread }),
    [['okta-admin-console-app-settings', 'Okta Admin Console (first-party app settings)']],
  );
  const stream = { id: '0ol1', name: 'Directory stream', status: 'ACTIVE', type: 'x' };
  const logStreams = { kind: 'read', value: [stream] };
  assert.deepEqual(verdictOf('systemlog_streaming_enabled', { logStreams }), [['0ol1', 'Directory stream']]);
});

test('check IDs for different vendors differ only in the vendor name', () => {
  const id = 'authenticator_directory_verify_fips_compliant';
  assert.equal(checkIdForDialect(okta, id), 'authenticator_okta_verify_fips_compliant');
  assert.equal(checkIdForDialect(directory, checkIdForDialect(okta, id)), id);
  assert.deepEqual(checkIds('idp_smart_card_dod_approved_ca'), ['idp_smart_card_dod_approved_ca']);
});

test('resource placeholders for every vendor are recognized', () => {
  const zones = ['directory-network-zones', 'okta-network-zones'];
  for (const name of zones) assert.deepEqual(resourceNames(name), zones);
  assert.deepEqual(resourceNames('00p1'), ['00p1']);
});

test('with --dialect okta, phrases about the directory refer to Okta', () => {
  for (const [sentence, changed] of [
    ["The directory's log of the directory.", "Okta's log of Okta."],
    ['It is a directory organization.', 'It is an Okta organization.'],
    ['The admin console and the end-user dashboard.', 'The Okta Admin Console and the Okta Dashboard.'],
    ['It ends a session of the directory.', 'It ends an Okta session.'],
    ['Users of Active Directory.', 'Users of Active Directory.'],
  ] as const) {
    assert.equal(textForDialect(okta, sentence), changed);
    assert.equal(textForDialect(directory, sentence), sentence);
  }
});
