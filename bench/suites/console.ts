import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type FirstLoad, measured, type Opening, type Scrolling } from '../console/measurements.ts';
import { generateFile } from '../generate-file.ts';
import { median } from '../median.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { ingestFile, withService } from '../service.ts';
import type { BenchContext, Result, Suite } from '../suite.ts';

const MEASURE = fileURLToPath(new URL('../console/measure.ts', import.meta.url));
const KB = 1000;

/** The console in a real browser, with many findings in one tenant. */
export const CONSOLE: Suite = {
  name: 'console',
  run: async (context) => {
    const results: Result[] = [];
    for (const records of context.records) results.push(...(await measure(records, context)));
    return results;
  },
};

async function measure(records: number, { folder, rounds }: BenchContext): Promise<readonly Result[]> {
  const file = await generateFile(folder, records);
  const work = async (...[service, client]: Parameters<Parameters<typeof withService>[0]>) => {
    await ingestFile(service, client, file.path);
    await rm(file.path);
    const args = [MEASURE, service.url, service.key, String(rounds)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return measured.parse(JSON.parse(stdout));
  };
  const { firstLoads, openings, scrollings } = await withService(work, { SLUICE_REQUESTS_PER_MINUTE: '0' });
  const context = `with ${records.toLocaleString('en')} findings in the tenant`;
  return [
    describeLoads(firstLoads, context),
    describeOpening(openings, context),
    describeScrolling(scrollings, context),
  ];
}

function describeLoads(loads: readonly FirstLoad[], context: string): Result {
  const kilobytes = loads.map(({ scriptBytes }) => scriptBytes / KB);
  return {
    title: `console: first page, signed in, ${context}`,
    rows: [
      {
        'compressed JavaScript, KB': roundToThreeDigits(median(kilobytes)),
        'all files, KB': roundToThreeDigits(median(loads.map(({ bytes }) => bytes / KB))),
        'first contentful paint, ms': roundToThreeDigits(median(loads.map(({ paintMs }) => paintMs))),
        'counts shown after, ms': roundToThreeDigits(median(loads.map(({ figuresMs }) => figuresMs))),
        'layout shift': roundToThreeDigits(median(loads.map(({ layoutShift }) => layoutShift))),
      },
    ],
    targets: [
      { measure: 'first page: compressed JavaScript, KB', rounds: kilobytes, bound: 'at most', target: 200 },
      {
        measure: 'first page: cumulative layout shift',
        rounds: loads.map(({ layoutShift }) => layoutShift),
        bound: 'at most',
        target: 0.1,
      },
    ],
  };
}

function describeOpening(opened: readonly Opening[], context: string): Result {
  const first = opened.map(({ firstMs }) => firstMs);
  const second = opened.map(({ secondMs }) => secondMs);
  return {
    title: `console: from the click on "Findings" to its rows, in ms, ${context}`,
    rows: [
      { 'first time': roundToThreeDigits(median(first)), 'second time': roundToThreeDigits(median(second)) },
    ],
    targets: [
      {
        measure: 'findings: click to rows, first time, ms',
        rounds: first,
        bound: 'at most',
        target: 500,
      },
      { measure: 'findings: click to rows, second time, ms', rounds: second, bound: 'at most', target: 500 },
    ],
  };
}

function describeScrolling(scrolled: readonly Scrolling[], context: string): Result {
  const longest = scrolled.map(({ longestTaskMs }) => longestTaskMs);
  return {
    title: `console: scrolling through findings, ${context}`,
    rows: [
      {
        'rows of the table': Math.max(...scrolled.map(({ rows }) => rows)),
        'longest task, ms (0 if none exceeds 50)': roundToThreeDigits(Math.max(...longest)),
        'frames per second': roundToThreeDigits(
          median(scrolled.map(({ framesPerSecond }) => framesPerSecond)),
        ),
        'rows shown after a jump to the middle, ms': roundToThreeDigits(
          median(scrolled.map(({ jumpMs }) => jumpMs)),
        ),
      },
    ],
    targets: [
      {
        measure: 'findings: longest task while scrolling, ms',
        rounds: longest,
        bound: 'at most',
        target: 100,
      },
    ],
  };
}
