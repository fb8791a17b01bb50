import { copyFile } from './copy-file.ts';

/**
 * (c) COPY of the raw records, one per row as they stand in the file, into a bare `jsonb` table without an index. The
 * file was split and escaped before, by `prepare-raw-records.ts`. The table stays: its size is read afterwards.
 */
await copyFile(process.argv[2] ?? '', {
  prepare: 'create table raw_records (record jsonb)',
  copy: 'copy raw_records from stdin',
});
