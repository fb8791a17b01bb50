import { z } from 'zod';

/** An ingestion job, as the service tells it (specification, "Ingestion job"). */
export interface Ingestion {
  readonly id: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  /** `null`: the service does not say. */
  readonly summary: IngestionSummary | null;
}

/** Records of the file, those handled so far, and of these those that were rejected. */
export interface IngestionSummary {
  readonly total: number;
  readonly processed: number;
  readonly invalid: number;
}

/** What was wrong with a record, or with the file. */
export interface IngestionError {
  readonly code: string;
  readonly detail: string;
  /** `null`: the error is the file's. */
  readonly recordIndex: number | null;
  readonly byteOffset: number | null;
  /** JSON Pointer (RFC 6901) inside the record. */
  readonly pointer: string | null;
  readonly findingUid: string | null;
}

const count = z.number().int().nonnegative();

const status = z.enum(['pending', 'processing', 'completed', 'failed']);
const summary = z.object({ total: count, processed: count, invalid: count }).nullable().catch(null);

/** Of the 202: what matters is the id. The rest is read where it is there, and so is where people look. */
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

/** Of a job that is asked for: without its status nobody could wait for its end. */
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

/** Of `GET /limits`: what an upload has to keep to. */
export const limitsDocument = z.object({
  data: z.object({
    attributes: z.object({
      encodings: z.array(z.string()),
      upload_max_bytes: count.optional(),
      inflated_max_bytes: count.optional(),
    }),
  }),
});
