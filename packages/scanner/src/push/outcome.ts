import type { Ingestion, IngestionError } from '../client/index.ts';
import { type Paint, visibleText } from '../terminal/formatting.ts';
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
  return { file, ...jobJson(outcome) };
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
