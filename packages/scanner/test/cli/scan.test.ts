import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { ORGANIZATION_NAMES } from '../../../directory-emulator/src/index.ts';
import { runProgramHere } from './run-scanner.ts';
import { makeScanFolder, type ScanFolder } from './scan-folder.ts';

const countsSchema = z.object({ PASS: z.number(), FAIL: z.number(), MANUAL: z.number() });
const expectedSchema = z.record(z.string(), z.record(z.string(), z.record(z.string(), countsSchema)));

describe('scanner directory', () => {
  let scans: ScanFolder;
  before(async () => {
    scans = await makeScanFolder(runProgramHere);
  });
  after(() => scans.remove());

  it('returns the expected verdicts for every organization and role', async () => {
    const table = new URL('../../../directory-emulator/organizations/expected.json', import.meta.url);
    const expected = expectedSchema.parse(JSON.parse(await readFile(table, 'utf8')));
    for (const [name, roles] of Object.entries(expected)) {
      for (const [role, checks] of Object.entries(roles)) {
        const known = ORGANIZATION_NAMES.find((candidate) => candidate === name);
        if (role === 'none') continue;
        assert.ok(known !== undefined && (role === 'super-admin' || role === 'read-only'));
        const { scan } = await scans.organization({ organization: known, role });
        const stem = `${name}-${role}`;
        const { code, stderr } = await scan(['-M', 'json-ocsf', '-o', '.', '-F', stem, '-b']);
        const found: Record<string, Record<'PASS' | 'FAIL' | 'MANUAL', number>> = {};
        for (const { metadata, status_code } of await scans.records(`${stem}.ocsf.json`)) {
          found[metadata.event_code] ??= { PASS: 0, FAIL: 0, MANUAL: 0 };
          const counts = found[metadata.event_code];
          if (counts !== undefined) counts[status_code] += 1;
        }
        const silent = { PASS: 0, FAIL: 0, MANUAL: 0 };
        const all = Object.fromEntries(Object.keys(checks).map((id) => [id, found[id] ?? silent]));
        assert.deepEqual(all, checks, `${name} as ${role}`);
        const fails = Object.values(checks).some(({ FAIL }) => FAIL > 0);
        assert.deepEqual({ code, stderr }, { code: fails ? 3 : 0, stderr: '' });
      }
    }
  });

  it('exits with 1 and writes no file when the service app has no admin role', async () => {
    const { scan } = await scans.organization({ organization: 'compliant', role: 'none' });
    const { code, stdout, stderr } = await scan(['-o', 'refused']);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(stderr, /^scanner: .*Read-Only Administrator.*\n$/);
    assert.deepEqual(await readdir(path.join(scans.folder, 'refused')), []);
  });

  it('writes CSV, OCSF, HTML and one CSV per framework by default', async () => {
    const { emulator, scan } = await scans.organization({ organization: 'compliant' });
    const { code, stdout, stderr } = await scan(['-o', 'all']);
    assert.equal(code, 0);
    const files = await readdir(path.join(scans.folder, 'all'), { recursive: true });
    const stem = String.raw`sluice-output-127\.0\.0\.1_\d+-\d{14}`;
    assert.deepEqual(files.map((file) => file.replace(new RegExp(stem), 'STEM')).sort(), [
      'STEM.csv',
      'STEM.html',
      'STEM.ocsf.json',
      'compliance',
      'compliance/STEM_cis_controls_8.1.csv',
      'compliance/STEM_directory_idaas_stig_v1r2.csv',
    ]);
    for (const file of files.filter((name) => name !== 'compliance'))
      assert.ok(stdout.includes(`all/${file}\n`), file);
    assert.match(stdout, /Compliance with Directory-IDaaS-STIG-V1R2\n.*Compliance with CIS-Controls-8\.1/s);
    assert.match(
      stdout,
      new RegExp(`29 checks; ${emulator.requests.length} management API requests, 1 token request\n$`),
    );
    assert.match(
      stderr,
      /^Sluice scanner \d+\.\d+\.\d+\n\n {2}Organization {4}127\.0\.0\.1:\d+ \(Directory\)\n/,
    );
    assert.doesNotMatch(stderr + stdout, /PRIVATE KEY/);
    assert.ok(
      !(stderr + stdout).includes('\u001b'),
      'colors were printed although the output is not a terminal',
    );
  });

  it('uses the same scan ID for all findings of a run, and a new scan ID for each run', async () => {
    const { scan } = await scans.organization({ organization: 'mixed' });
    const ids = [];
    for (const stem of ['first', 'second']) {
      await scan(['-M', 'json-ocsf', '-o', '.', '-F', stem]);
      const found = new Set(
        (await scans.records(`${stem}.ocsf.json`)).map(({ unmapped }) => unmapped.scan_id),
      );
      assert.equal(found.size, 1);
      ids.push(...found);
    }
    assert.notEqual(ids[0], ids[1]);
  });

  it('requests only the data that the selected checks require', async () => {
    const { emulator, scan } = await scans.organization({ organization: 'compliant' });
    const { stdout } = await scan(['-c', 'systemlog_streaming_enabled', '-M', 'csv', '-o', 'one']);
    const paths = emulator.requests.map(({ path: requested }) => requested.replace(/\?.*/, ''));
    assert.deepEqual([...new Set(paths)].sort(), ['/api/v1/logStreams', '/api/v1/policies']);
    assert.match(stdout, /\n1 check; 2 management API requests/);
    assert.doesNotMatch(stdout, /Compliance with/);
    const complete = await scan([
      '-c',
      'systemlog_streaming_enabled',
      '--compliance',
      'Directory-IDaaS-STIG-V1R2',
      '-M',
      'csv',
      '-o',
      'one',
    ]);
    assert.match(complete.stdout, /Compliance with/);
  });

  it('writes the compliance table and CSV only for the framework in --compliance', async () => {
    const { scan } = await scans.organization({ organization: 'mixed' });
    const { stdout } = await scan([
      '--compliance',
      'CIS-Controls-8.1',
      '-M',
      'html',
      '-o',
      'cis',
      '-F',
      'cis',
    ]);
    assert.deepEqual(stdout.match(/Compliance with \S+/g), ['Compliance with CIS-Controls-8.1']);
    assert.match(stdout, /\n18 checks; /);
    assert.deepEqual(await readdir(path.join(scans.folder, 'cis/compliance')), ['cis_cis_controls_8.1.csv']);
    const html = await readFile(path.join(scans.folder, 'cis/cis.html'), 'utf8');
    assert.match(html, /<strong>CIS-Controls-8\.1<\/strong>/);
    assert.doesNotMatch(html, /<strong>Directory-IDaaS-STIG-V1R2<\/strong>/);
  });

  it('applies a less strict limit to findings but not to compliance results in every output', async () => {
    const { scan } = await scans.organization({ organization: 'compliant' });
    await writeFile(
      path.join(scans.folder, 'relaxed.yaml'),
      'directory:\n  directory_max_session_idle_minutes: 16\n',
    );
    const check = 'signon_global_session_idle_timeout_15min';
    const args = [
      '-c',
      check,
      '-M',
      'json-ocsf,html',
      '-o',
      'relaxed',
      '-F',
      'relaxed',
      '--config-file',
      'relaxed.yaml',
    ];
    const { code, stdout } = await scan([...args, '--compliance', 'Directory-IDaaS-STIG-V1R2']);
    assert.equal(code, 0);
    assert.deepEqual(
      [...new Set((await scans.records('relaxed/relaxed.ocsf.json')).map((one) => one.status_code))],
      ['PASS'],
    );
    assert.match(stdout, /CAT II \(Medium\) +FAIL/);
    const html = await readFile(path.join(scans.folder, 'relaxed/relaxed.html'), 'utf8');
    assert.match(html, /CAT II \(Medium\)<\/th><td class="result"><span class="badge fail">Fail</);
    assert.match(html, /<strong>fails Directory-IDaaS-STIG-V1R2<\/strong>/);
    const csv = await readFile(
      path.join(scans.folder, 'relaxed/compliance/relaxed_directory_idaas_stig_v1r2.csv'),
      'utf8',
    );
    assert.match(
      csv,
      /;FAIL;[^;]*The configured limit of 16 minutes is less strict than the limit of 15 minutes in the STIG/,
    );
  });

  it('exits with 3 for an unmuted FAIL, even if --status hides it, unless --ignore-exit-code-3 is set', async () => {
    const { scan } = await scans.organization({ organization: 'non-compliant' });
    const args = ['-s', 'systemlog', '-M', 'json-ocsf', '-o', '.', '-F', 'status'];
    assert.equal((await scan(args)).code, 3);
    const hidden = await scan([...args, '--status', 'PASS', 'MANUAL']);
    assert.equal(hidden.code, 3);
    assert.match(hidden.stdout, /FAIL \(1\)/, 'the tables do not include all findings');
    assert.deepEqual(await scans.records('status.ocsf.json'), []);
    assert.equal((await scan([...args, '-z'])).code, 0);
    assert.equal((await scan([...args, '--ignore-exit-code-3'])).code, 0);
  });

  it('marks findings that match the mutelist as muted, keeps their FAIL status, and does not exit with 3', async () => {
    const { scan } = await scans.organization({ organization: 'non-compliant' });
    const content =
      'Mutelist:\n  Accounts:\n    "*":\n      Checks:\n        "systemlog_*":\n          Regions: [global]\n          Resources: ["*"]\n';
    await writeFile(path.join(scans.folder, 'mutes.yaml'), content);
    const args = [
      '-s',
      'systemlog',
      '-w',
      'mutes.yaml',
      '-M',
      'json-ocsf',
      '-o',
      '.',
      '-F',
      'muted',
      '--verbose',
    ];
    for (const status of [[], ['--status', 'MUTED'], ['--status', 'fail']]) {
      const { code, stdout } = await scan([...args, ...status]);
      assert.equal(code, 0);
      assert.match(stdout, /^MUTED \(FAIL\) systemlog_streaming_enabled /);
      const [record, ...others] = await scans.records('muted.ocsf.json');
      assert.deepEqual(others, []);
      assert.deepEqual([record?.status, record?.status_code], ['Suppressed', 'FAIL']);
    }
    await scan([...args, '--status', 'PASS']);
    assert.deepEqual(await scans.records('muted.ocsf.json'), []);
  });

  it('evaluates checks with the limits from the configuration file', async () => {
    const { scan } = await scans.organization({ organization: 'compliant' });
    await writeFile(
      path.join(scans.folder, 'config.yaml'),
      'directory:\n  directory_max_session_lifetime_minutes: 1\n',
    );
    const args = ['-c', 'signon_global_session_lifetime_18h', '-M', 'csv', '-o', 'limits'];
    assert.equal((await scan(args)).code, 0);
    assert.equal((await scan([...args, '--config-file', 'config.yaml'])).code, 3);
  });
});
