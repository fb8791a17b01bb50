import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startKilledCluster } from '../kill/database.ts';
import { runKillTest } from '../kill/run-kill-test.ts';
import { summaryOf, verdictOf } from '../kill/summary.ts';
import { getCitusSkipReason } from '../support/citus.ts';
import { createSandbox } from '../support/sandbox.ts';

/** The short form of `npm run test:kill -- --citus`. */
describe('a service on a cluster whose processes and nodes are killed', {
  skip: getCitusSkipReason(),
}, () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('neither loses nor duplicates records when processes, nodes and the coordinator are killed', async (t) => {
    const print = (line: string) => t.diagnostic(line);
    const test = {
      seed: 3,
      kills: 8,
      attempts: 5,
      pauseMs: { least: 500, most: 2500 },
      startDatabase: startKilledCluster,
      tenants: 4,
      uploadersPerTenant: 1,
      findings: 4000,
      largest: 6000,
      print,
    };
    const report = await runKillTest(test, sandbox);
    print(`\n${summaryOf(report)}`);
    assert.equal(verdictOf(report), undefined);
    for (const type of ['node', 'postmaster'] as const)
      assert.ok(
        report.kills.some((kill) => kill.type === type && kill.hitWork),
        `no kill of a ${type} hit work in progress`,
      );
  });
});
