import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CIS_CONTROLS } from '../../src/compliance/cis-controls.ts';
import { STIG } from '../../src/compliance/stig.ts';
import { toComplianceCsv } from '../../src/outputs/compliance-csv.ts';
import { toCsv } from '../../src/outputs/csv.ts';
import {
  finding,
  HOSTILE_NAMES,
  hostileFindings,
  resultIn,
  scan,
  variedFindings,
} from './support/findings.ts';
import { readCsv } from './support/read-csv.ts';

describe('CSV output', () => {
  it('writes one CSV line per finding, with uppercase headers', () => {
    const text = toCsv(variedFindings(), scan());
    const [headers = ''] = text.split('\n');
    assert.match(headers, /^[A-Z_]+(?:;[A-Z_]+)*$/);
    const rows = readCsv(text);
    assert.deepEqual(
      rows.map(({ STATUS, MUTED, SERVICE_NAME, SEVERITY, RESOURCE_UID }) =>
        [STATUS, MUTED, SERVICE_NAME, SEVERITY, RESOURCE_UID].join(' '),
      ),
      [
        'FAIL False signon medium 00p1',
        'PASS False signon medium 00p2',
        'FAIL True signon medium 00p3',
        'MANUAL False application high console',
        'FAIL False application high console-2',
        'PASS True authenticator low pw',
      ],
    );
  });

  it('writes every finding attribute to CSV', () => {
    assert.deepEqual(readCsv(toCsv([finding()], scan())), [
      {
        TIMESTAMP: '2026-11-21T08:53:37.587Z',
        ACCOUNT_UID: 'acme.directory.com',
        ACCOUNT_NAME: 'acme.directory.com',
        ACCOUNT_ORGANIZATION_UID: '0oa1client',
        FINDING_UID: 'sluice-directory-signon_global_session_lifetime_18h-acme.directory.com-global-00p1',
        PROVIDER: 'directory',
        CHECK_ID: 'signon_global_session_lifetime_18h',
        CHECK_TITLE: 'Sessions end after 18 hours',
        STATUS: 'FAIL',
        STATUS_EXTENDED: 'Sessions last 24 hours; 18 hours are allowed.',
        MUTED: 'False',
        SERVICE_NAME: 'signon',
        SEVERITY: 'medium',
        RESOURCE_UID: '00p1',
        RESOURCE_NAME: 'Default Policy',
        REGION: 'global',
        DESCRIPTION: 'The first rule of each session policy ends sessions after 18 hours at most.',
        RISK: 'A stolen session stays usable.',
        REMEDIATION_RECOMMENDATION_TEXT: 'Set the lifetime to 18 hours or less.',
        REMEDIATION_RECOMMENDATION_URL: 'https://example.com/sessions',
        ADDITIONAL_URLS: 'https://example.com/stig',
        COMPLIANCE: 'Directory-IDaaS-STIG-V1R2: DIRECTORY-APP-001665 | CIS-Controls-8.1: 4.3',
        STIG_GROUP: 'V-273203',
        STIG_RULE: 'SV-273203r1099958_rule',
        CATEGORIES: 'identity-access',
        NOTES: '',
        SCAN_ID: '019aa5f2-6c31-7b1e-9d3a-5f0c2b7e4a10',
        SCANNER_VERSION: '0.1.0',
      },
    ]);
  });

  it('writes only the CSV headers if there are no findings', () => {
    const text = toCsv([], scan());
    assert.match(text, /^TIMESTAMP;.*\n$/);
    assert.deepEqual(readCsv(text), []);
  });

  it('preserves malicious names in CSV, except for formulas and unprintable characters', () => {
    const names = readCsv(toCsv(hostileFindings(), scan())).map(({ RESOURCE_NAME }) => RESOURCE_NAME ?? '');
    for (const [at, name] of names.entries()) {
      const original = HOSTILE_NAMES[at] ?? assert.fail();
      assert.doesNotMatch(name, /^[=+\-@\t\r]/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not occur
      assert.doesNotMatch(name, /[\u0000-\u0008\u001b\u007f-\u009f]/);
      const shown = name.replaceAll(/(?<=^|\n)'(?=[=+\-@\t\r])/g, '');
      assert.equal(shown.length, original.length);
      for (const [index, character] of [...shown].entries()) {
        if (character !== '\u{fffd}') assert.equal(character, [...original][index]);
      }
    }
  });

  it('escapes formulas after a comma or a line break, for locales in which a comma separates cells', () => {
    const name = 'a, =1,\n+2\r"@3, 4';
    const rows = readCsv(toCsv([finding({ resource: { id: '1', name, data: {} } })], scan()));
    assert.equal(rows[0]?.RESOURCE_NAME, `a,' =1,\n'+2\r'"@3, 4`);
  });
});

describe('compliance CSV', () => {
  it('writes one compliance CSV line per finding with its STIG requirement', () => {
    const rows = readCsv(toComplianceCsv(resultIn(STIG), scan()));
    assert.equal(rows.length, variedFindings().length);
    assert.deepEqual(rows[0], {
      PROVIDER: 'directory',
      DESCRIPTION: 'DISA STIG for identity as a service (IDaaS), version 1, release 2',
      ORGANIZATIONDOMAIN: 'acme.directory.com',
      ASSESSMENTDATE: '2026-11-21T08:53:37.587Z',
      REQUIREMENTS_ID: 'DIRECTORY-APP-001665',
      REQUIREMENTS_NAME: 'Sessions end after 18 hours',
      REQUIREMENTS_DESCRIPTION: 'The first rule of each session policy ends sessions after 18 hours at most.',
      REQUIREMENTS_ATTRIBUTES_SECTION: 'CAT II (Medium)',
      REQUIREMENTS_ATTRIBUTES_SEVERITY: 'medium',
      REQUIREMENTS_ATTRIBUTES_RULEID: 'SV-273203r1099958_rule',
      REQUIREMENTS_ATTRIBUTES_STIGID: 'DIRECTORY-APP-001665',
      REQUIREMENTS_ATTRIBUTES_GROUPID: 'V-273203',
      REQUIREMENTS_ATTRIBUTES_CCI: 'CCI-002038 | CCI-000057',
      REQUIREMENTS_ATTRIBUTES_CHECKTEXT:
        'The first rule of each session policy ends sessions after 18 hours at most.',
      REQUIREMENTS_ATTRIBUTES_FIXTEXT: 'Set the lifetime to 18 hours or less.',
      STATUS: 'FAIL',
      STATUSEXTENDED: 'Sessions last 24 hours; 18 hours are allowed.',
      RESOURCEID: '00p1',
      RESOURCENAME: 'Default Policy',
      CHECKID: 'signon_global_session_lifetime_18h',
      MUTED: 'False',
      FRAMEWORK: 'Directory-IDaaS-STIG-V1R2',
      NAME: 'DISA IDaaS STIG V1R2',
    });
    assert.deepEqual(
      [rows[3]?.REQUIREMENTS_ATTRIBUTES_SECTION, rows[3]?.REQUIREMENTS_ATTRIBUTES_SEVERITY],
      ['CAT I (High)', 'high'],
    );
  });

  it('writes one compliance CSV line per finding and CIS safeguard, and none for checks without a safeguard', () => {
    const log = finding({ check: { id: 'systemlog_streaming_enabled', service: 'systemlog' } });
    const other = finding({ check: { id: 'authenticator_smart_card_active' } });
    const rows = readCsv(toComplianceCsv(resultIn(CIS_CONTROLS, [finding(), log, other]), scan()));
    assert.deepEqual(
      rows.map(({ REQUIREMENTS_ID, CHECKID, REQUIREMENTS_ATTRIBUTES_IMPLEMENTATIONGROUPS }) =>
        [REQUIREMENTS_ID, CHECKID, REQUIREMENTS_ATTRIBUTES_IMPLEMENTATIONGROUPS].join(' '),
      ),
      [
        '4.3 signon_global_session_lifetime_18h IG1 | IG2 | IG3',
        '8.2 systemlog_streaming_enabled IG1 | IG2 | IG3',
        '8.9 systemlog_streaming_enabled IG2 | IG3',
        '8.12 systemlog_streaming_enabled IG3',
      ],
    );
    const [first] = rows;
    assert.deepEqual(
      [first?.FRAMEWORK, first?.NAME, first?.REQUIREMENTS_NAME, first?.STATUS],
      [
        'CIS-Controls-8.1',
        'CIS Controls v8.1',
        'Configure Automatic Session Locking on Enterprise Assets',
        'FAIL',
      ],
    );
  });

  it('writes only the compliance CSV headers for a framework without findings', () => {
    const text = toComplianceCsv(resultIn(CIS_CONTROLS, []), scan());
    assert.match(text, /;REQUIREMENTS_ATTRIBUTES_SECTION;REQUIREMENTS_ATTRIBUTES_IMPLEMENTATIONGROUPS;/);
    assert.deepEqual(readCsv(text), []);
  });

  it('writes FAIL with the reason for a check that was evaluated with a less strict limit than the STIG requires', () => {
    const lessStrict = resultIn(STIG, [finding({ status: 'PASS' })], { maxSessionLifetimeMinutes: 1081 });
    const [row] = readCsv(toComplianceCsv(lessStrict, scan()));
    assert.equal(row?.STATUS, 'FAIL');
    assert.match(
      row?.STATUSEXTENDED ?? '',
      /^The configured limit of 1081 minutes is less strict than the limit of 1080 minutes in the STIG/,
    );
  });
});
