import { readFileSync } from 'node:fs';
import { reportCost } from './report-cost.ts';

/** (a) `JSON.parse` of the whole file, which is read before as one string. */
await reportCost(async () => {
  const records: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
  if (!Array.isArray(records)) throw new TypeError('the file is no array');
  return records.length;
});
