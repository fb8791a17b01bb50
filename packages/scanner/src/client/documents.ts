import { z } from 'zod';

/** An ingestion job, as the service tells it (specification, "Ingestion job"). */
export interface Ingestion {
  readonly id: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Records of the file, those handled so far, and of these those that were rejected. */
  readonly summary: { readonly total: number; readonly processed: number; readonly invalid: number };
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

const ingestion = z
  .object({
    id: z.string().min(1),
    attributes: z.object({
      status: z.enum(['pending', 'processing', 'completed', 'failed']),
      summary: z.object({ total: count, processed: count, invalid: count }),
    }),
  })
  .transform(({ id, attributes }): Ingestion => ({ id, ...attributes }));

/** The job, and where people look at what came in, if the service says. */
export const ingestionDocument = z.object({
  data: ingestion,
  meta: z
    .object({
      scans_url: z
        .url({ protocol: /^https?$/ })
        .optional()
        .catch(undefined),
    })
    .catch({ scans_url: undefined }),
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
