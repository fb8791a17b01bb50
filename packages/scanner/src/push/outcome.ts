import {
  FINDING_SEVERITIES,
  type FindingChanges,
  type SeverityCounts,
  sumCounts,
} from '../client/finding-changes.ts';
import type { Ingestion, IngestionError } from '../client/index.ts';
import { type Paint, visibleText } from '../terminal/formatting.ts';
import type { GateResult } from './gate.ts';
import type { PushOutcome } from './push-file.ts';

/** The outcome of an accepted file or retry as lines of text. */
export function outcomeText(
  name: string,
  { upload, ingestion, errors }: PushOutcome,
  paint: Paint,
  action: 'pushed' | 'retried' = 'pushed',
): string {
  if (upload === undefined || ingestion === undefined) return '';
  const lines = [
    `${name}: ${paint('green', upload.replayed ? `already ${action}` : action)}${recordCount(upload.ingestion)}`,
    `  Ingestion job: ${visibleText(ingestion.id)}`,
    `  Scans: ${visibleText(upload.scansUrl)}`,
    ...endLines(ingestion, paint),
    ...(ingestion.findings === null ? [] : changeLines(ingestion.findings)),
    ...(errors === undefined ? [] : errorLines(errors)),
  ];
  return `${lines.join('\n')}\n`;
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

const CHANGES = ['new', 'reopened', 'regressed', 'fixed', 'unchanged', 'resolved'] as const;

/** How the upload changed findings, without the changes that none of them has. */
function changeLines(findings: FindingChanges): string[] {
  const changes = CHANGES.map((change) => [change, sumCounts(findings[change])] as const);
  const failed = FINDING_SEVERITIES.toReversed().map(
    (severity) => [severity, findings.newlyFailed[severity] ?? 0] as const,
  );
  return [`  Findings: ${countsText(changes)}`, `  Newly failed: ${countsText(failed)}`];
}

function countsText(counts: readonly (readonly [name: string, count: number])[]): string {
  const texts = counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  return texts.length === 0 ? 'none' : texts.join(', ');
}

function errorLines({ errors, counts, url }: NonNullable<PushOutcome['errors']>): string[] {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const byCode = Object.entries(counts).map(([code, count]) => `${code} ${count}`);
  const more = all - errors.length;
  return [
    ...(byCode.length === 0 ? [] : [`  Errors by code: ${byCode.join(', ')}`]),
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
  return { file, ...jobJson(outcome), gate: outcome.gate === undefined ? null : gateJson(outcome.gate) };
}

/** The machine-readable result of a retry of this job. */
export function retryJson(originalId: string, outcome: PushOutcome) {
  return { original_ingestion_id: originalId, ...jobJson(outcome) };
}

function jobJson({ upload, ingestion, errors, problem }: PushOutcome) {
  return {
    ingestion_id: ingestion?.id ?? null,
    replayed: upload?.replayed ?? false,
    status: ingestion?.status ?? null,
    summary: ingestion?.summary ?? null,
    findings: ingestion?.findings ? changesJson(ingestion.findings) : null,
    scans_url: upload?.scansUrl ?? null,
    errors: (errors?.errors ?? []).map(({ code, detail, recordIndex, byteOffset, pointer, findingUid }) => ({
      code,
      detail,
      record_index: recordIndex,
      byte_offset: byteOffset,
      pointer,
      finding_uid: findingUid,
    })),
    problem: problem ?? null,
  };
}

function changesJson({ newlyFailed, ...changes }: FindingChanges): Readonly<Record<string, SeverityCounts>> {
  return { ...changes, newly_failed: newlyFailed };
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
