import { copyFile } from './copy-file.ts';

/**
 * Baseline (c): COPY of the raw records, one per row, into a bare `jsonb` table without an index.
 * `prepare-raw-records.ts` splits and escapes the file beforehand. The table is kept because its size is measured
 * later.
 */
await copyFile(process.argv[2] ?? '', {
  prepare: 'create table raw_records (record jsonb)',
  copy: 'copy raw_records from stdin',
});
