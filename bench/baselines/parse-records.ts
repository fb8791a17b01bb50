import { recordBytes } from './record-bytes.ts';
import { reportCost } from './report-cost.ts';

/** (b) Only to find each record, with the service's own splitter, and to `JSON.parse` it. */
await reportCost(async () => {
  let records = 0;
  for await (const some of recordBytes(process.argv[2] ?? '')) {
    for (const bytes of some) {
      const record: unknown = JSON.parse(bytes.toString('utf8'));
      if (typeof record !== 'object') throw new TypeError('a record is no object');
      records++;
    }
  }
  return records;
});
