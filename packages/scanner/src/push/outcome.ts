import type { Ingestion, IngestionError } from '../client/index.ts';
import { oneLine } from '../http/response-text.ts';
import { type Paint, visibleText } from '../terminal/formatting.ts';
import { changeLines, changesJson } from './change-text.ts';
import { codeLines, dryRunJson, dryRunLines } from './dry-run-text.ts';
import type { GateResult } from './gate.ts';
import type { PushOutcome } from './push-file.ts';

interface OutcomeTextOptions {
  readonly action?: 'pushed' | 'retried';
  /** Why the coverage of a scan is partial, as a clause. */
  readonly partialReason?: string | undefined;
}

/** The outcome of an accepted file or retry as lines of text. */
export function outcomeText(
  name: string,
  outcome: PushOutcome,
  paint: Paint,
  { action = 'pushed', partialReason }: OutcomeTextOptions = {},
): string {
  const { upload, ingestion } = outcome;
  if (upload === undefined || ingestion === undefined) return '';
  const { replayed, dryRun, scansUrl } = upload;
  const done = `${replayed ? 'already ' : ''}${action}${dryRun ? ' as a dry run' : ''}`;
  const lines = [
    ...(partialReason === undefined
      ? []
      : [`Coverage: partial, so no findings are resolved: ${visibleText(partialReason)}`]),
    `${name}: ${paint('green', done)}${recordCount(upload.ingestion)}`,
    ...(dryRun ? [dryRunNote(replayed)] : []),
    `  Ingestion job: ${visibleText(ingestion.id)}`,
    ...(dryRun ? [] : [`  Scans: ${visibleText(scansUrl)}`]),
    ...endLines(ingestion, paint),
    ...effectLines(outcome, paint),
    ...warningLines(outcome, paint),
    ...errorLines(outcome),
  ];
  return `${lines.join('\n')}\n`;
}

function dryRunNote(replayed: boolean): string {
  const note = '  Nothing was ingested or billed.';
  return replayed
    ? `${note} The report is from the first dry run; for a new one, use a new --idempotency-key.`
    : note;
}

function effectLines({ upload, ingestion, dryRun }: PushOutcome, paint: Paint): string[] {
  if (dryRun !== undefined) return dryRunLines(dryRun, paint);
  // The counts of a dry run are all 0.
  if (upload?.dryRun || !ingestion?.findings) return [];
  return changeLines(ingestion.findings);
}

function recordCount({ summary }: Ingestion): string {
  if (summary === null) return '';
  return summary.total === 1 ? ', 1 record' : `, ${summary.total} records`;
}

function endLines({ status, summary }: Ingestion, paint: Paint): string[] {
  if (status !== 'completed' && status !== 'failed') return [];
  const end = paint(status === 'completed' ? 'green' : 'red', status);
  if (summary === null) return [`  ${end}`];
  const { total, processed, invalid } = summary;
  return [`  ${end}: ${processed} of ${total} records processed, ${invalid} invalid`];
}

function warningLines({ warnings = [] }: PushOutcome, paint: Paint): string[] {
  return warnings.map(({ code, detail }) => `  ${paint('yellow', 'Warning')}: ${oneLine(detail)} [${code}]`);
}

function errorLines({ errors: found, dryRun }: PushOutcome): string[] {
  if (found === undefined) return codeLines('Errors', dryRun?.errors ?? {});
  const { errors, counts, url } = found;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const more = all - errors.length;
  return [
    ...codeLines('Errors', counts),
    ...errors.map((error) => `    ${describeLocation(error)}: ${visibleText(error.detail)} [${error.code}]`),
    ...(more > 0 ? [`    and ${more} more: GET ${url}`] : []),
  ];
}

function describeLocation({ recordIndex, byteOffset, pointer }: IngestionError): string {
  const scope = recordIndex === null ? 'the file' : `record ${recordIndex}`;
  const at = byteOffset === null ? '' : ` at byte ${byteOffset}`;
  return `${scope}${at}${pointer === null ? '' : `, ${visibleText(pointer)}`}`;
}

/**
 * The machine-readable result of a push, with the property names of the service API. `file` is `null` if the file was
 * not kept.
 */
export function outcomeJson(file: string | null, outcome: PushOutcome) {
  const { gate } = outcome;
  return {
    file,
    ...jobJson(outcome),
    gate: gate === undefined ? null : gateJson(gate),
  };
}

/** The machine-readable result of a retry of this job. */
export function retryJson(originalId: string, outcome: PushOutcome) {
  return { original_ingestion_id: originalId, ...jobJson(outcome) };
}

function jobJson({ upload, ingestion, errors, warnings = [], dryRun, problem }: PushOutcome) {
  // A dry run changes no findings, so its counts are all 0.
  const findings = upload?.dryRun ? null : ingestion?.findings;
  return {
    ingestion_id: ingestion?.id ?? null,
    replayed: upload?.replayed ?? false,
    status: ingestion?.status ?? null,
    summary: ingestion?.summary ?? null,
    findings: findings ? changesJson(findings) : null,
    dry_run: dryRun === undefined ? null : dryRunJson(dryRun),
    scans_url: upload?.scansUrl ?? null,
    errors: (errors?.errors ?? []).map(({ code, detail, recordIndex, byteOffset, pointer, findingUid }) => ({
      code,
      detail,
      record_index: recordIndex,
      byte_offset: byteOffset,
      pointer,
      finding_uid: findingUid,
    })),
    warnings: warnings.map(({ code, detail }) => ({ code, detail })),
    problem: problem ?? null,
  };
}

function gateJson({ severity, result, count, findings, reason }: GateResult) {
  return {
    severity,
    result,
    count,
    findings: findings.map(({ id, severity, checkId, checkTitle, resource, account, url }) => ({
      id,
      severity,
      check_id: checkId,
      check_title: checkTitle,
      resource,
      account,
      url,
    })),
    reason,
  };
}
