import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ArgumentsError, type BenchArguments, readArguments, recordsOf, USAGE } from './arguments.ts';
import { describeMachine, readMachine } from './machine.ts';
import type { Result } from './suite.ts';
import { targetRows } from './target-rows.ts';

const args = process.argv.slice(2);
try {
  if (args.includes('--help')) console.log(USAGE);
  else await bench(readArguments(args));
} catch (error) {
  if (!(error instanceof ArgumentsError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function bench(given: BenchArguments): Promise<void> {
  const { suites, long, records, rounds, json } = given;
  const machine = await readMachine();
  const startedAt = new Date().toISOString();
  console.log(`${describeMachine(machine)}\n`);
  const results: (Result & { readonly suite: string })[] = [];
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-bench-'));
  try {
    for (const suite of suites) {
      for (const result of await suite.run({ folder, long, rounds, records: recordsOf(suite, given) })) {
        console.log(result.title);
        console.table(result.rows);
        results.push({ suite: suite.name, ...result });
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    // In `finally`, so that the results up to a failure are also written.
    if (json !== undefined)
      await writeFile(json, document({ machine, startedAt, long, records, rounds, results }));
  }
  const targets = targetRows(results);
  if (targets.length === 0) return;
  console.log('targets: a target is reached if every round reached it');
  console.table(targets);
}

function document(run: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(run, null, 2)}\n`;
}
