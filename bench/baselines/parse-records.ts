import { recordBytes } from './record-bytes.ts';
import { reportCost } from './report-cost.ts';

// Baseline (b): finds each record with Sluice's splitter and parses it with `JSON.parse`.
await reportCost(async () => {
  let records = 0;
  for await (const batch of recordBytes(process.argv[2] ?? '')) {
    for (const bytes of batch) {
      const record: unknown = JSON.parse(bytes.toString('utf8'));
      if (typeof record !== 'object') throw new TypeError('A record is not an object');
      records++;
    }
  }
  return records;
});
