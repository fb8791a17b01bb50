import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { writeAdverseFiles } from './adverse/write-adverse-files.ts';
import { ArgumentsError, parsePositiveInteger } from './arguments.ts';
import type { BenchFile } from './generate-file.ts';
import { measureIngestion } from './ingest/measure-ingestion.ts';
import { describeMachine, readMachine } from './machine.ts';
import { median } from './median.ts';
import type { Cost } from './process/measure.ts';
import { pidOf, withService } from './service.ts';

const USAGE = `npm run bench:compare -- CHECKOUT [--records N] [--rounds N]

Compares the ingestion speed of this checkout with that of another one, in which npm ci has run.

--records N  records per file (default: 100000)
--rounds N   repetitions of each measurement (default: 5)`;

/** A service folds totals and vacuums tables a second after its last frame, which must not slow down the next scan. */
const IDLE_MS = 4000;

type Checkout = 'own' | 'other';

/** A scan of a file, with its cost in each checkout by round. */
interface Scan {
  readonly file: BenchFile;
  readonly name: string;
  readonly rounds: Record<Checkout, Cost>[];
}

try {
  const { checkout, records, rounds } = readArguments();
  await compare(checkout, records, rounds);
} catch (error) {
  if (!(error instanceof ArgumentsError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

function readArguments() {
  const { values, positionals } = parseWords();
  const [checkout] = positionals;
  if (checkout === undefined) throw new ArgumentsError('The other checkout is missing.');
  return {
    checkout: path.resolve(checkout),
    records: parsePositiveInteger(values.records),
    rounds: parsePositiveInteger(values.rounds),
  };
}

function parseWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        records: { type: 'string', default: '100000' },
        rounds: { type: 'string', default: '5' },
      },
    });
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error));
  }
}

async function compare(checkout: string, records: number, rounds: number): Promise<void> {
  console.log(`${describeMachine(await readMachine())}\n`);
  const other: { readonly withService: typeof withService } = await import(
    pathToFileURL(path.join(checkout, 'bench', 'service.ts')).href
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-bench-'));
  try {
    const files = await scansOf(folder, records);
    for (let round = 0; round < rounds; round++)
      for (const scans of files) {
        const own = () => measure(withService, scans);
        const others = () => measure(other.withService, scans);
        // Alternated, because the speed of a machine changes.
        const isOwnFirst = round % 2 === 0;
        const first = await (isOwnFirst ? own : others)();
        const second = await (isOwnFirst ? others : own)();
        for (const [scan, cost] of first) {
          const next = second.get(scan);
          if (next === undefined) throw new Error(`${scan.name} was measured only once in a round`);
          scan.rounds.push(isOwnFirst ? { own: cost, other: next } : { own: next, other: cost });
        }
      }
    console.log(
      `this checkout, relative to ${checkout}; medians and ranges of ${rounds} rounds, ${records} records`,
    );
    console.table(files.flat().map(ratiosOf));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The generated and the mixed file, each with the next scan of the same findings. */
async function scansOf(folder: string, records: number): Promise<readonly (readonly Scan[])[]> {
  const files = await writeAdverseFiles(folder, records);
  return files
    .filter(({ description }) => /^(generated|mixed)/.test(description))
    .map(({ again, ...file }) => [
      { file, name: file.description, rounds: [] },
      ...(again === undefined ? [] : [{ file: again, name: `${file.description}; again`, rounds: [] }]),
    ]);
}

async function measure(run: typeof withService, scans: readonly Scan[]): Promise<ReadonlyMap<Scan, Cost>> {
  const costs = new Map<Scan, Cost>();
  await run(async (service) => {
    for (const scan of scans) {
      await sleep(IDLE_MS);
      const keys = [service.key];
      costs.set(scan, await measureIngestion([pidOf(service)], service, { keys, file: scan.file }));
    }
  });
  return costs;
}

function ratiosOf({ name, rounds }: Scan): Readonly<Record<string, string>> {
  const ratio = (of: (cost: Cost) => number) => {
    const ratios = rounds.map(({ own, other }) => of(own) / of(other));
    const [middle, least, greatest] = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map(
      (value) => value.toFixed(2),
    );
    return `${middle} (${least} to ${greatest})`;
  };
  return {
    file: name,
    duration: ratio(({ seconds }) => seconds),
    'CPU time, service': ratio(({ cpuSeconds }) => cpuSeconds),
    'CPU time, PostgreSQL': ratio(({ postgresCpuSeconds }) => postgresCpuSeconds),
    'CPU time, both': ratio(({ cpuSeconds, postgresCpuSeconds }) => cpuSeconds + postgresCpuSeconds),
  };
}
