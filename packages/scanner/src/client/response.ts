import { z } from 'zod';
import { oneLine, parseJson } from '../http/response-text.ts';
import { COVERAGES, type Coverage } from './coverage.ts';
import { type FindingChanges, findingChanges } from './finding-changes.ts';
import { PushError, type PushErrorCode } from './push-error.ts';

/** A complete response from the service. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** An ingestion job (docs/specification.md, "Ingestion job"). */
export interface Ingestion {
  readonly id: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  /** `null` if the service does not return one. */
  readonly summary: IngestionSummary | null;
  /**
   * How the upload changed findings. `null` until the job has ended, and if an earlier release of the service accepted
   * the upload.
   */
  readonly findings: FindingChanges | null;
  /** The coverage of the upload. `null` if the service does not return it. */
  readonly coverage: Coverage | null;
  /** The number of warnings. `null` if the service does not return it. */
  readonly warnings: number | null;
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

/** A warning about records or about the upload. */
export interface IngestionWarning extends Omit<IngestionError, 'byteOffset'> {
  /** The number of records that the warning is about; `null` if it concerns the upload. */
  readonly recordCount: number | null;
}

/** Whether a job is completed or failed. */
export function hasEnded({ status }: Pick<Ingestion, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

const MAX_MESSAGES = 3;

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
      meta: z.object({ dry_run: z.boolean() }).catch({ dry_run: false }),
    })
    .transform(({ id, attributes, meta }) => {
      const ingestion: Ingestion = { id, ...attributes, findings: null, coverage: null, warnings: null };
      return { ingestion, dryRun: meta.dry_run };
    }),
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
    .object({
      id: z.string().min(1),
      attributes: z.object({ status, summary }),
      meta: z
        .object({
          findings: findingChanges.nullable().catch(null),
          coverage: z.enum(COVERAGES).nullable().catch(null),
          warnings: count.nullable().catch(null),
        })
        .catch({ findings: null, coverage: null, warnings: null }),
    })
    .transform(({ id, attributes, meta }): Ingestion => {
      const findings = hasEnded(attributes) ? meta.findings : null;
      return { id, ...attributes, ...meta, findings };
    }),
});

/** The common fields of errors and warnings. */
const problemFields = z.object({
  code: z.string(),
  detail: z.string(),
  record_index: z.number().nullish(),
  pointer: z.string().nullish(),
  finding_uid: z.string().nullish(),
});

function problemOf(fields: z.output<typeof problemFields>) {
  const { code, detail, record_index, pointer, finding_uid } = fields;
  return {
    code,
    detail,
    recordIndex: record_index ?? null,
    pointer: pointer ?? null,
    findingUid: finding_uid ?? null,
  };
}

const problemsMeta = z.object({ counts: z.record(z.string(), count).default({}) });

export const errorsDocument = z.object({
  data: z.array(
    z.object({ attributes: problemFields.extend({ byte_offset: z.number().nullish() }) }).transform(
      ({ attributes }): IngestionError => ({
        ...problemOf(attributes),
        byteOffset: attributes.byte_offset ?? null,
      }),
    ),
  ),
  meta: problemsMeta,
});

export const warningsDocument = z.object({
  data: z.array(
    z.object({ attributes: problemFields.extend({ record_count: z.number().nullish() }) }).transform(
      ({ attributes }): IngestionWarning => ({
        ...problemOf(attributes),
        recordCount: attributes.record_count ?? null,
      }),
    ),
  ),
  meta: problemsMeta,
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

const errorObject = z.object({
  code: z.string().optional(),
  detail: z.string().optional(),
  title: z.string().optional(),
});

/** Error objects (JSON:API 1.1, "Error Objects"). */
const errorObjects = z.object({ errors: z.array(errorObject).nonempty() });

/** Parses the body of a successful response. Throws a PushError for any other response. */
export function readResponse<Schema extends z.ZodType>(
  response: ServiceResponse,
  { request, schema }: { readonly request: string; readonly schema: Schema },
): z.output<Schema> {
  const { status } = response;
  if (status < 200 || status > 299) throw refusal(response, request);
  const body = schema.safeParse(bodyOf(response));
  if (body.success) return body.data;
  const subject = `${request} returned ${status} with ${describeBody(response)}`;
  throw new PushError('not_understood', `${subject}: this is not a Sluice service`, {
    status,
    cause: body.error,
  });
}

/** Converts an error response, including the message from the service. */
function refusal(response: ServiceResponse, request: string): PushError {
  const { status, headers } = response;
  const options = { status };
  if (status >= 300 && status < 400) {
    const target = headers.get('location');
    const where = target === null ? '' : ` to ${oneLine(target)}`;
    return new PushError(
      'redirected',
      `${request} returned ${status}, a redirect${where}; redirects are not followed`,
      options,
    );
  }
  const [code, meaning] = meaningOf(status);
  const messages = messagesOf(response);
  return new PushError(code, `${meaning(request, status)}${messages === '' ? '' : `: ${messages}`}`, options);
}

function meaningOf(status: number): [PushErrorCode, (request: string, status: number) => string] {
  if (status === 401) return ['unauthorized', () => 'the service rejected the API key (401)'];
  if (status === 402) return ['subscription_required', () => 'pushing requires an active subscription (402)'];
  if (status === 403) return ['permission_denied', () => 'the key does not have permission to push (403)'];
  if (status === 407) return ['unreachable', () => 'the proxy requires authentication (407)'];
  if (status === 413) return ['upload_too_large', () => 'the file is too large for the service (413)'];
  if (status === 429) return ['rate_limited', () => 'the rate limit of the key is exceeded (429)'];
  const returned = (request: string) => `${request} returned ${status}`;
  return status >= 500 ? ['service_failed', returned] : ['refused', returned];
}

/** The error objects of a response; empty if there are none. */
export function errorsOf(response: ServiceResponse): readonly z.output<typeof errorObject>[] {
  return errorObjects.safeParse(bodyOf(response)).data?.errors ?? [];
}

/** The messages from the service on one line; empty if there are none. */
function messagesOf(response: ServiceResponse): string {
  const errors = errorsOf(response);
  if (errors.length > 0) {
    const messages = errors.flatMap(({ detail, title }) => detail ?? title ?? []);
    return messages.slice(0, MAX_MESSAGES).map(oneLine).join('; ');
  }
  const text = response.text.trim();
  return text === '' || isHtml(response) || bodyOf(response) !== undefined ? '' : oneLine(text);
}

function describeBody(response: ServiceResponse): string {
  if (response.text.trim() === '') return 'an empty body';
  if (isHtml(response)) return 'an HTML page';
  return bodyOf(response) === undefined ? 'text that is not JSON' : 'unexpected JSON';
}

function isHtml({ headers, text }: ServiceResponse): boolean {
  return /html/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html)/i.test(text);
}

/** The parsed JSON body; `undefined` if it is not JSON. */
export function bodyOf({ text }: ServiceResponse): unknown {
  return parseJson(text);
}
