import { copyFile } from './copy-file.ts';

/**
 * Baseline (d): COPY of finished rows, written earlier by a service, into the truncated `findings` table with its
 * indexes. Uses the binary format, one transaction, and the row order of the original table. The rows that findings
 * refer to by key, and the counts, already exist.
 */
await copyFile(process.argv[2] ?? '', { copy: 'copy findings from stdin (format binary)' });
