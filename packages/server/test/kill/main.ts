import { randomInt } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { publishSharedFolder } from '../support/embedded-template.ts';
import { createSandbox } from '../support/sandbox.ts';
import { startKilledCluster, startKilledDatabase } from './database.ts';
import { runKillTest } from './run-kill-test.ts';
import { summaryOf, verdictOf } from './summary.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
    kills: { type: 'string', default: '50' },
    citus: { type: 'boolean' },
  },
});
const test = {
  seed: wholeNumber('seed', values.seed),
  kills: wholeNumber('kills', values.kills),
  attempts: 1,
  pauseMs: { least: 300, most: 2000 },
  startDatabase: values.citus === true ? startKilledCluster : startKilledDatabase,
  tenants: 4,
  uploadersPerTenant: 3,
  findings: 20_000,
  largest: 16_000,
  print: (line: string) => console.log(line),
};
const sandbox = createSandbox();
if (values.citus === true) {
  const folder = await sandbox.newDataDir();
  // The servers run as another user.
  await chmod(folder, 0o755);
  publishSharedFolder(folder);
}
process.once('SIGINT', () => void sandbox.clear().then(() => process.exit(1)));
try {
  const report = await runKillTest(test, sandbox);
  console.log(`\n${summaryOf(report)}`);
  const verdict = verdictOf(report);
  if (verdict !== undefined) {
    console.error(`\n${verdict}`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`The kill test could not finish with the seed ${test.seed}:`, error);
  process.exitCode = 1;
} finally {
  await sandbox.clear();
}

function wholeNumber(name: string, text: string): number {
  if (!/^[0-9]{1,9}$/.test(text))
    throw new TypeError(`--${name} must be an integer below a billion, not '${text}'`);
  return Number(text);
}
