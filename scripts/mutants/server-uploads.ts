import { defineMutants, type Mutant } from './define-mutants.ts';

const server = defineMutants('packages/server');

export const SERVER_UPLOADS_MUTANTS: readonly Mutant[] = [
  server(
    'a truncated zstd file is accepted',
    'ingest/upload/inflate.ts',
    'if (!walker.complete)',
    'if (walker.frames < 0)',
    'inflate',
  ),
  server(
    'data after the end of a gzip file is ignored',
    'ingest/upload/inflate.ts',
    'byte !== 0',
    'byte > 255',
    'inflate',
  ),
  server(
    'an empty file is accepted',
    'ingest/upload/store-file.ts',
    'if (bytes === 0)',
    'if (bytes < 0)',
    'upload-refusals',
    'broken-requests',
    'compressed-uploads',
  ),
  server(
    'the size of an inflated file is not limited',
    'ingest/upload/store-file.ts',
    "assertWithin(limits.inflatedMaxBytes, bytes, 'inflated_max_bytes', 'after decompression');",
    '',
    'upload-limits',
  ),
  server(
    'control characters are kept in file names',
    'ingest/upload/multipart.ts',
    ".replace(/\\p{Cc}/gu, '')",
    '',
    'file-names',
  ),
  server(
    'idempotency ignores the account',
    'features/ingestions/accept-file.ts',
    'JSON.stringify([provider, account, ',
    'JSON.stringify([provider, ',
    'idempotency',
  ),
  server(
    'idempotency ignores the labels',
    'features/ingestions/accept-file.ts',
    ', ...Object.entries(labels).sort()',
    '',
    'labels',
  ),
  server(
    'idempotency ignores the coverage',
    'features/ingestions/accept-file.ts',
    '...declared, ',
    '',
    'coverage-part',
  ),
  server(
    'a coverage is published while frames are being merged',
    'ingest/worker/process-frame.ts',
    'await holdCoverage(work, frame.tenantId);',
    '',
    'coverage-orders',
  ),
  server(
    'a late record is not resolved',
    'ingest/worker/process-frame.ts',
    'await resolveLate(work, frame, { earliest: scans.values(), ids: () => rows.hexIds, changes });',
    '',
    'coverage-orders',
  ),
  server(
    'a later coverage changes the time at which a finding was resolved',
    'ingest/merge/resolve-findings.ts',
    '.resolved_by`)}) > (',
    '.resolved_by`)}) <> (',
    'coverage-orders',
  ),
  server(
    'an upload with an invalid record resolves findings',
    'ingest/worker/finish-frame.ts',
    '(failed || !declaresCoverage)',
    '!declaresCoverage',
    'coverage',
  ),
];
