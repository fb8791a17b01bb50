import { CREATE_FINDING_CHANGES } from '../../packages/server/src/jobs/count-findings.ts';
import { copyFile } from './copy-file.ts';

/**
 * (d) COPY of the finished rows, as a service has written them before, into the emptied table of findings with its
 * indexes and triggers, in the binary format and the order in which the table had them, in one transaction.
 */
await copyFile(process.argv[2] ?? '', {
  prepare: CREATE_FINDING_CHANGES,
  copy: 'copy findings from stdin (format binary)',
});
