import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { writeAdverseFiles } from './adverse/write-adverse-files.ts';
import type { BenchFile } from './generate-file.ts';
import { measureIngestion } from './ingest/measure-ingestion.ts';
import { describeMachine, readMachine } from './machine.ts';
import { median } from './median.ts';
import type { Cost } from './process/measure.ts';
import { roundToThreeDigits } from './round-to-three-digits.ts';
import { pidOf, withService } from './service.ts';

const USAGE = `npm run bench:compare -- CHECKOUT [--records N] [--rounds N]

Compares the ingestion speed of this checkout with that of another one, in which npm ci has run.

--records N  records per file (default: 100000)
--rounds N   repetitions of each measurement (default: 5)`;

/** A scan of a file, with the costs of each round in both checkouts. */
interface Scan {
  readonly file: BenchFile;
  readonly name: string;
  readonly own: Cost[];
  readonly other: Cost[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    records: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});
const [checkout] = positionals;
if (checkout === undefined || values.help === true) {
  console.error(USAGE);
  process.exitCode = values.help === true ? 0 : 2;
} else await compare(path.resolve(checkout), Number(values.records), Number(values.rounds));

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
        const own = () => measure(withService, scans, 'own');
        const others = () => measure(other.withService, scans, 'other');
        // Alternated, because the speed of a machine changes.
        for (const next of round % 2 === 0 ? [own, others] : [others, own]) await next();
      }
    console.log(`this checkout, relative to ${checkout}; medians of ${rounds} rounds, ${records} records`);
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
      { file, name: file.description, own: [], other: [] },
      ...(again === undefined
        ? []
        : [{ file: again, name: `${file.description}; again`, own: [], other: [] }]),
    ]);
}

async function measure(
  run: typeof withService,
  scans: readonly Scan[],
  side: 'own' | 'other',
): Promise<void> {
  await run(async (service) => {
    for (const scan of scans)
      scan[side].push(
        await measureIngestion([pidOf(service)], service, { keys: [service.key], file: scan.file }),
      );
  });
}

function ratiosOf({ name, own, other }: Scan): Readonly<Record<string, string | number>> {
  const ratio = (of: (cost: Cost) => number) =>
    roundToThreeDigits(median(own.map((cost, at) => of(cost) / of(other[at] ?? cost))));
  return {
    file: name,
    duration: ratio(({ seconds }) => seconds),
    'CPU time of service and PostgreSQL': ratio(
      ({ cpuSeconds, postgresCpuSeconds }) => cpuSeconds + postgresCpuSeconds,
    ),
  };
}
