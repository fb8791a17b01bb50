import { CREATE_FINDING_CHANGES } from '../../packages/server/src/ingest/merge/merge-findings.ts';
import { copyFile } from './copy-file.ts';

/**
 * Baseline (d): COPY of finished rows, written earlier by a service, into the truncated `findings` table with its
 * indexes and triggers. Uses the binary format, one transaction, and the row order of the original table.
 */
await copyFile(process.argv[2] ?? '', {
  prepare: CREATE_FINDING_CHANGES,
  copy: 'copy findings from stdin (format binary)',
});
