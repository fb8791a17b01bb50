import { z } from 'zod';

/** An ingestion job (docs/specification.md, "Ingestion job"). */
export interface Ingestion {
  readonly id: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  /** `null` if the service does not return one. */
  readonly summary: IngestionSummary | null;
}

/** The counts of all, processed, and invalid records. */
export interface IngestionSummary {
  readonly total: number;
  readonly processed: number;
  readonly invalid: number;
}

/** An error in a record or in the file. */
export interface IngestionError {
  readonly code: string;
  readonly detail: string;
  /** `null` if the error concerns the file rather than a record. */
  readonly recordIndex: number | null;
  readonly byteOffset: number | null;
  /** JSON Pointer (RFC 6901) inside the record. */
  readonly pointer: string | null;
  readonly findingUid: string | null;
}

const count = z.number().int().nonnegative();

const status = z.enum(['pending', 'processing', 'completed', 'failed']);
const summary = z.object({ total: count, processed: count, invalid: count }).nullable().catch(null);

/** The 202 response to an upload. Only the ID is required. */
export const acceptedDocument = z.object({
  data: z
    .object({
      id: z.string().min(1),
      attributes: z
        .object({ status: status.catch('pending'), summary })
        .catch({ status: 'pending', summary: null }),
    })
    .transform(({ id, attributes }): Ingestion => ({ id, ...attributes })),
  meta: z
    .object({
      scans_url: z
        .url({ protocol: /^https?$/ })
        .optional()
        .catch(undefined),
    })
    .catch({ scans_url: undefined }),
});

/** The response that describes a job. The status is required, because clients wait for the job to finish. */
export const ingestionDocument = z.object({
  data: z
    .object({ id: z.string().min(1), attributes: z.object({ status, summary }) })
    .transform(({ id, attributes }): Ingestion => ({ id, ...attributes })),
});

export const errorsDocument = z.object({
  data: z.array(
    z
      .object({
        attributes: z.object({
          code: z.string(),
          detail: z.string(),
          record_index: z.number().nullish(),
          byte_offset: z.number().nullish(),
          pointer: z.string().nullish(),
          finding_uid: z.string().nullish(),
        }),
      })
      .transform(
        ({ attributes }): IngestionError => ({
          code: attributes.code,
          detail: attributes.detail,
          recordIndex: attributes.record_index ?? null,
          byteOffset: attributes.byte_offset ?? null,
          pointer: attributes.pointer ?? null,
          findingUid: attributes.finding_uid ?? null,
        }),
      ),
  ),
  meta: z.object({ counts: z.record(z.string(), count).default({}) }),
});

/** The response to `GET /limits`. */
export const limitsDocument = z.object({
  data: z.object({
    attributes: z.object({
      encodings: z.array(z.string()),
      upload_max_bytes: count.optional(),
      inflated_max_bytes: count.optional(),
    }),
  }),
});
