import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runKillTest } from './run-kill-test.ts';
import { summaryOf, verdictOf } from './summary.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, kills: { type: 'string', default: '50' } },
});
const report = await runKillTest({
  seed: values.seed === undefined ? randomInt(2 ** 31) : wholeNumber('seed', values.seed),
  kills: wholeNumber('kills', values.kills),
  pauseMs: { least: 300, most: 2000 },
  tenants: 4,
  uploadersPerTenant: 3,
  findings: 20_000,
  largest: 14_000,
  tell: (line) => console.log(line),
});
console.log(`\n${summaryOf(report)}`);
const verdict = verdictOf(report);
if (verdict !== undefined) {
  console.error(`\n${verdict}`);
  process.exitCode = 1;
}

function wholeNumber(name: string, text: string): number {
  if (!/^[0-9]{1,9}$/.test(text))
    throw new TypeError(`--${name} must be a whole number below a billion, not '${text}'`);
  return Number(text);
}
