import { defineMutants, type Mutant } from './define-mutants.ts';

const server = defineMutants('packages/server');

export const SERVER_CHANGES_MUTANTS: readonly Mutant[] = [
  server(
    'the record after a late one keeps its counts',
    'ingest/changes/altered-points.ts',
    'this.#counts.add({ scanId, ingestionId }, changeAt(point), state, -1);',
    '',
    'scan-changes',
  ),
  server(
    'a record that another frame of its upload replaces is still counted',
    'ingest/changes/record-changes.ts',
    'this.#counts.add({ scanId, ingestionId }, changeOf(prior, state), state, -1);',
    '',
    'features/scans/scans',
  ),
  server(
    'a finding that was resolved twice is counted twice',
    'ingest/changes/record-resolutions.ts',
    'if (scanId !== null && isNew(finding))',
    'if (scanId !== null)',
    'scan-changes',
  ),
  server(
    'an upload that was removed resolves findings between two of their records',
    'ingest/merge/gap-coverages.ts',
    't.coverage_id in (select id from ingestions where tenant_id = $1)',
    'true',
    'history-retention',
  ),
  server(
    'a record with a resolved finding does not reopen it',
    'ingest/merge/merge-statements.ts',
    "const FOLLOWS_RESOLUTION = 'f.resolved_at <= excluded.last_seen_at';",
    "const FOLLOWS_RESOLUTION = 'false';",
    'scan-changes',
  ),
  server(
    'a record of an upload does not reopen a finding that was resolved since its earlier record',
    'ingest/merge/merge-statements.ts',
    "'true')}) | 8",
    "'true')}) | 0",
    'scans-late-uploads',
  ),
  server(
    'a finding counts twice if its record was late in another frame',
    'ingest/changes/own-records.ts',
    'HAS_OWN_RECORDS = ifOwn(`own.has_late_records or',
    'HAS_OWN_RECORDS = ifOwn(`false or',
    'scans-late-uploads',
  ),
  server(
    'another resolution than that of the replaced record is altered',
    'ingest/changes/altered-points.ts',
    'coverageId: ingestionId, state: priorState',
    'coverageId: null, state: priorState',
    'scans-late-uploads',
  ),
  server(
    'a late coverage resolves nothing before newer records',
    'ingest/worker/end-job.ts',
    'await recordPastResolutions(side, tenantId, ingestionId, findings);',
    'await Promise.resolve(findings);',
    'late-coverages',
  ),
  server(
    'a late first record is not resolved by the coverages after it',
    'ingest/changes/record-changes.ts',
    'coverages.get(findingId)',
    'undefined',
    'late-coverages',
  ),
  server(
    'a late coverage reopens the newest record instead of the next one',
    'ingest/changes/past-resolutions.ts',
    'sightings.get(id) ?? null',
    'null',
    'late-coverages',
  ),
  server(
    'a late coverage resolves the findings in its file',
    'ingest/merge/reappeared-findings.ts',
    'where not exists (select from contained where contained.id = candidates.id)',
    '',
    'late-coverages',
  ),
  server(
    'a resolution keeps the severity of an earlier record',
    'ingest/changes/record-resolutions.ts',
    'const known = findings.filter((finding) => !isNew(finding));',
    'const known: ResolvedFinding[] = [];',
    'scans-late-uploads',
  ),
  server(
    'a finding counts twice if another upload is processed between two frames of its upload',
    'ingest/changes/own-records.ts',
    'const candidates = locked.rows.filter(({ isOther }) => isOther).map(({ id }) => id);',
    'const candidates: string[] = [];',
    'scans-late-uploads',
  ),
  server(
    'a new severity alone is not an event',
    'ingest/merge/returned-findings.ts',
    'priorState !== stateCode(row)',
    '(priorState === null || priorState % 16 !== stateCode(row) % 16)',
    'scans-late-uploads',
  ),

  // Dry runs.
  server(
    'the previous release ingests dry runs',
    'features/ingestions/insert-ingestion.ts',
    'isDryRun: ingestion.texts.dryRun,',
    'isDryRun: false,',
    'ingestions/dry-run',
  ),
  server(
    'a dry run counts duplicates in different frames twice',
    'ingest/dry-run/read-parts.ts',
    'select distinct on (id) id, state',
    'select id, state',
    'ingestions/dry-run',
  ),
  server(
    'a dry run with invalid records resolves findings',
    'ingest/dry-run/end-dry-run.ts',
    'if (coverage !== DEFAULT_COVERAGE && !hasFailed) {',
    'if (coverage !== DEFAULT_COVERAGE) {',
    'ingestions/dry-run',
  ),
];
