import { readFileSync } from 'node:fs';
import { reportCost } from './report-cost.ts';

// Baseline (a): reads the whole file as one string and parses it with `JSON.parse`.
await reportCost(async () => {
  const records: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
  if (!Array.isArray(records)) throw new TypeError('The file is not an array');
  return records.length;
});
