import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createSandbox } from '../support/sandbox.ts';
import { startKilledDatabase } from './database.ts';
import { runKillTest } from './run-kill-test.ts';
import { summaryOf, verdictOf } from './summary.ts';

/** The short form of `npm run test:kill`. */
describe('a service whose processes are killed', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('neither loses nor duplicates records when a worker, an API process and PostgreSQL are killed', async (t) => {
    const print = (line: string) => t.diagnostic(line);
    const test = {
      seed: 6,
      kills: 3,
      attempts: 5,
      pauseMs: { least: 200, most: 1200 },
      startDatabase: startKilledDatabase,
      tenants: 3,
      uploadersPerTenant: 1,
      findings: 4000,
      largest: 6000,
      print,
    };
    const report = await runKillTest(test, sandbox);
    print(`\n${summaryOf(report)}`);
    assert.equal(verdictOf(report), undefined);
    const idle = report.kills.filter(({ hitWork }) => !hitWork);
    assert.deepEqual(idle, [], 'these kills hit no work in progress');
  });
});
