import type { PushOutcome } from './push-file.ts';

/**
 * The machine-readable result of a push, with the property names of the service API. `file` is `null` if the file was
 * not kept.
 */
export function outcomeJson(file: string | null, { upload, ingestion, errors, problem }: PushOutcome) {
  return {
    file,
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
