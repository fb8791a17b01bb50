import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { extractFuzzer } from '../../../ocsf/test/fuzz/extract-fuzzer.ts';
import { type FuzzSummary, runFuzzer } from '../../../ocsf/test/fuzz/fuzzer.ts';
import { splitterFuzzer } from '../../../ocsf/test/fuzz/splitter-fuzzer.ts';
import { uploadRun } from './upload-run.ts';

const NAMES = ['splitter', 'extract', 'uploads'] as const;
const MIB = 2 ** 20;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    uploads: { type: 'string', default: '3000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    only: { type: 'string' },
  },
});
const seed = count('seed', values.seed);
const cases = count('cases', values.cases);
const uploads = count('uploads', values.uploads);
const only = NAMES.find((name) => name === values.only);
if (values.only !== undefined && only === undefined)
  throw new Error(`--only takes ${NAMES.join(', ')}, not '${values.only}'`);

console.log(`seed ${seed}`);
const summaries: FuzzSummary[] = [];
for (const fuzzer of [splitterFuzzer, extractFuzzer])
  if (only === undefined || only === fuzzer.name) summaries.push(report(runFuzzer(fuzzer, { seed, cases })));
if (only === 'uploads' || only === undefined)
  summaries.push(report(await uploadRun({ seed, cases: uploads })));

console.table(
  Object.fromEntries(
    summaries.map(({ name, bytes, seconds, types, disagreements, ...summary }) => [
      name,
      {
        cases: summary.cases,
        types: types.size,
        MiB: Math.round(bytes / MIB),
        disagreements: disagreements.length,
        seconds: Math.round(seconds),
      },
    ]),
  ),
);
if (summaries.some(({ disagreements }) => disagreements.length > 0)) process.exitCode = 1;

function report(summary: FuzzSummary): FuzzSummary {
  const types = [...summary.types].sort(([, a], [, b]) => b - a).map(([type, number]) => `${type} ${number}`);
  console.log(`${summary.name}: ${types.join(', ')}`);
  for (const disagreement of summary.disagreements) console.log(`\n${disagreement}\n`);
  return summary;
}

function count(name: string, text: string): number {
  if (!/^\d{1,9}\d?$/.test(text)) throw new Error(`--${name} takes an integer, not '${text}'`);
  return Number(text);
}
