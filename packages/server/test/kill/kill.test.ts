import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runKillTest } from './run-kill-test.ts';
import { summaryOf, verdictOf } from './summary.ts';

/** The short form of `npm run test:kill`. */
it('nothing is lost or there twice after ten kills of workers, APIs and PostgreSQL', async (t) => {
  const report = await runKillTest({
    seed: 6,
    kills: 10,
    pauseMs: { least: 200, most: 1200 },
    tenants: 3,
    uploadersPerTenant: 2,
    findings: 6000,
    largest: 6000,
    tell: (line) => t.diagnostic(line),
  });
  t.diagnostic(summaryOf(report));
  assert.equal(verdictOf(report), undefined);
  assert.equal(report.kills.length, 10);
  assert.ok(report.kills.filter(({ hitWork }) => hitWork).length >= 5, 'hardly a kill hit any work');
});
