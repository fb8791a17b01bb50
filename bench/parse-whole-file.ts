import { readFileSync } from 'node:fs';

/** The first yardstick, in a process of its own: `JSON.parse` of the whole file. Prints seconds and peak MiB. */
const start = performance.now();
const records: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const seconds = (performance.now() - start) / 1000;
if (!Array.isArray(records)) throw new TypeError('the file is no array');
console.log(
  JSON.stringify({ records: records.length, seconds, peakMiB: process.resourceUsage().maxRSS / 1024 }),
);
