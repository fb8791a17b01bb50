import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { CIS_CONTROLS } from '../../src/compliance/cis-controls.ts';
import { STIG } from '../../src/compliance/stig.ts';
import { complianceTable } from '../../src/outputs/compliance-table.ts';
import { summaryTable } from '../../src/outputs/summary-table.ts';
import { textTable } from '../../src/terminal/formatting.ts';
import { finding, resultIn, scan, variedFindings } from './support/findings.ts';

const plain = { colors: false };

describe('summary table', () => {
  it('shows a summary and one line per service, with separate counts of muted and manual findings', () => {
    assert.equal(
      summaryTable(variedFindings(), scan(), plain),
      `Organization acme.directory.com
33.33% (2) failed   16.67% (1) passed   16.67% (1) manual   33.33% (2) muted

Service        Status    Critical  High  Medium  Low  Informational  Manual  Muted
-------------  --------  --------  ----  ------  ---  -------------  ------  -----
application    FAIL (1)         0     1       0    0              0       1      0
authenticator  MUTED            0     0       0    0              0       0      1
signon         FAIL (1)         0     0       1    0              0       0      1

Severity columns count failed findings. Muted findings are counted only as muted. Services without findings are not shown.
`,
    );
  });

  it('marks a service with an informational failure as failed', () => {
    const table = summaryTable([finding({ check: { severity: 'informational' } })], scan(), plain);
    assert.match(table, /^signon {3}FAIL \(1\) +0 +0 +0 +0 +1 +0 +0$/m);
  });

  it('does not mark a service as passed if no check could be evaluated', () => {
    assert.match(summaryTable([finding({ status: 'MANUAL' })], scan(), plain), /^signon {3}MANUAL \(1\)/m);
  });

  it('states in the summary table that there are no findings', () => {
    assert.equal(summaryTable([], scan(), plain), 'Organization acme.directory.com: no findings.\n');
  });

  it('colors tables only on request and without changing the alignment', () => {
    const coloured = summaryTable(variedFindings(), scan(), { colors: true });
    const bare = summaryTable(variedFindings(), scan(), plain);
    assert.notEqual(coloured, bare);
    assert.equal(stripVTControlCharacters(coloured), bare);
    assert.equal(stripVTControlCharacters(bare), bare);
  });
});

describe('compliance table', () => {
  it('counts the findings in each category of the compliance table', () => {
    assert.equal(
      complianceTable(resultIn(STIG), scan(), plain),
      `Compliance with Directory-IDaaS-STIG-V1R2
33.33% (2) failed   16.67% (1) passed   16.67% (1) manual   33.33% (2) muted

Category         Status    Fail  Pass  Manual  Muted
---------------  --------  ----  ----  ------  -----
CAT I (High)     FAIL (1)     1     0       1      0
CAT II (Medium)  FAIL (1)     1     1       0      2
`,
    );
  });

  it('counts a finding once per CIS safeguard that it relates to', () => {
    const log = finding({ check: { id: 'systemlog_streaming_enabled', service: 'systemlog' } });
    assert.equal(
      complianceTable(resultIn(CIS_CONTROLS, [...variedFindings(), log]), scan(), plain),
      `Compliance with CIS-Controls-8.1
42.86% (3) failed   14.29% (1) passed   14.29% (1) manual   28.57% (2) muted

Safeguard                                                     Status    Fail  Pass  Manual  Muted
------------------------------------------------------------  --------  ----  ----  ------  -----
4.3 Configure Automatic Session Locking on Enterprise Assets  FAIL (1)     1     1       0      1
5.2 Use Unique Passwords                                      MUTED        0     0       0      1
6.5 Require MFA for Administrative Access                     FAIL (1)     1     0       1      0
8.2 Collect Audit Logs                                        FAIL (1)     1     0       0      0
8.9 Centralize Audit Logs                                     FAIL (1)     1     0       0      0
8.12 Collect Service Provider Logs                            FAIL (1)     1     0       0      0
`,
    );
  });

  it('counts a requirement as failed if its check was evaluated with a less strict limit than the STIG requires', () => {
    const passed = [finding({ status: 'PASS' })];
    assert.match(complianceTable(resultIn(STIG, passed), scan(), plain), /^CAT II \(Medium\) {2}PASS \(1\)/m);
    const lessStrict = resultIn(STIG, passed, { maxSessionLifetimeMinutes: 1081 });
    assert.match(complianceTable(lessStrict, scan(), plain), /^CAT II \(Medium\) {2}FAIL \(1\)/m);
  });

  it('states in the compliance table that there are no findings', () => {
    assert.match(complianceTable(resultIn(STIG, []), scan(), plain), /no findings/);
  });
});

describe('text tables', () => {
  it('aligns wide, combining and colored characters and leaves no trailing spaces', () => {
    const columns = [
      { title: 'Name', align: 'left' },
      { title: 'Count', align: 'right' },
      { title: 'Note', align: 'left' },
    ] as const;
    assert.equal(
      textTable(columns, [
        ['漢字漢字', '5', ''],
        ['abc', '12345', 'long'],
        ['🔐', '1', ''],
        ['e\u0301', '2', ''],
        ['\u001b[31mred\u001b[39m', '3', ''],
      ]),
      [
        'Name      Count  Note',
        '--------  -----  ----',
        '漢字漢字      5',
        'abc       12345  long',
        '🔐            1',
        'e\u0301             2',
        '\u001b[31mred\u001b[39m           3',
      ].join('\n'),
    );
  });
});
