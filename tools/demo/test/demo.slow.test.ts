import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run, type StartedProcess, startProcess } from '../../../packages/server/test/support/process.ts';
import { until } from '../../../packages/server/test/support/until.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describe('npm run demo', () => {
  let demo: StartedProcess;
  let settings: string;
  let folder: string;
  before(async () => {
    demo = startProcess('npm', ['run', 'demo'], { cwd: ROOT });
    settings = (await demo.printed(/^ {2}(export SCANNER_CLOUD_API_KEY=.+)$/m))[1] ?? '';
    folder = /(\S+)\/output\/demo\.html/.exec(demo.output.stdout)?.[1] ?? '';
  });
  after(() => demo.signalGroup('SIGKILL'));

  /** Runs a printed command in a shell, as a user would paste it. */
  const runPasted = (pattern: RegExp) => {
    const line = pattern.exec(demo.output.stdout)?.[0];
    assert.ok(line !== undefined, `no line matches ${pattern}: ${demo.output.stdout}`);
    return run('sh', ['-c', `${settings}\n${line}`], { cwd: ROOT });
  };

  it('the demo scans an organization, uploads the findings, and prints the results', () => {
    const { stdout } = demo.output;
    assert.match(stdout, /\(\d+\) failed/);
    assert.match(
      stdout,
      /Results: pushed, 115 records\n {2}Ingestion job: \S+\n {2}Scans: http:\S+\/scans\n/,
    );
    assert.match(stdout, / {2}completed: 115 of 115 records processed, 0 invalid\n/);
    assert.ok(existsSync(`${folder}/output/demo.html`));
  });

  it('the demo prints commands that work when pasted into a shell', async () => {
    const jobs = JSON.parse((await runPasted(/curl -sS .+\/ingestions$/m)).stdout);
    assert.equal(jobs.data[0].attributes.status, 'completed');

    const good = await runPasted(/npx scanner push --wait examples\S+/);
    assert.match(good.stdout, /completed: 12 of 12 records processed, 0 invalid/);
    assert.equal(good.code, 0);

    const bad = await runPasted(/echo '.+' \| npx scanner push --wait -$/m);
    assert.match(bad.stdout, /failed: 2 of 2 records processed, 2 invalid/);
    assert.equal(bad.code, 3);

    const page = /Open the console +(\S+)/.exec(demo.output.stdout)?.[1] ?? '';
    assert.equal((await fetch(page)).status, 200);
  });

  it('the demo stops on Ctrl-C and deletes its data', async () => {
    demo.signalGroup('SIGINT');
    await demo.ended;
    await until(async () => !demo.groupLives() || undefined);
    assert.equal(existsSync(folder), false);
  });
});
