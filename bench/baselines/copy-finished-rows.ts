import { CREATE_FINDING_CHANGES } from '../../packages/server/src/jobs/update-finding-counts.ts';
import { copyFile } from './copy-file.ts';

/**
 * Baseline (d): COPY of finished rows, which a service wrote before, into the truncated table of findings with its
 * indexes and triggers. Binary format, the order of the table, one transaction.
 */
await copyFile(process.argv[2] ?? '', {
  prepare: CREATE_FINDING_CHANGES,
  copy: 'copy findings from stdin (format binary)',
});
