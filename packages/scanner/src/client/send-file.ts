import { createHash } from 'node:crypto';
import { serviceUrl } from './base-url.ts';
import type { Coverage } from './coverage.ts';
import { assertSupportsDryRuns } from './dry-run.ts';
import { bestEncoding, type Encoding } from './encoding.ts';
import type { Limits } from './limits.ts';
import { PushError } from './push-error.ts';
import { acceptedDocument, type Ingestion, readResponse, type ServiceResponse } from './response.ts';
import { INGESTIONS, nameOf, type Service, type ServiceRequest } from './service.ts';
import { type TextPart, type UploadFile, uploadBody } from './upload-file.ts';

/** Defaults for records without a provider or account. */
export interface RecordDefaults {
  readonly provider?: string | undefined;
  readonly account?: string | undefined;
}

export interface UploadOptions extends RecordDefaults {
  /** Labels of the upload by key, such as its branch and commit. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether the file contains all findings of its checks or accounts. The service then resolves findings that are not in
   * the file. Default: `partial`, which resolves nothing.
   */
  readonly coverage?: Coverage | undefined;
  /** Whether the service only reports what the upload would do (`IngestionClient.dryRun`). Default: `false`. */
  readonly dryRun?: boolean | undefined;
  /** The file name to send to the service. Default: the name of the file. */
  readonly name?: string | undefined;
  /** Default: the SHA-256 of the decompressed content, so that repeated pushes of a file create only one job. */
  readonly idempotencyKey?: string | undefined;
  /** Called while the file is read. On a retry, the progress restarts from 0. */
  readonly onProgress?: ((progress: { readonly bytes: number; readonly total: number }) => void) | undefined;
}

export interface Upload {
  readonly ingestion: Ingestion;
  /**
   * Whether the service had already accepted this upload. If so, the job is the one that the original upload created.
   */
  readonly replayed: boolean;
  /** Whether the job only reports what the upload would do. */
  readonly dryRun: boolean;
  /** URL of the page with the ingested scans. */
  readonly scansUrl: string;
}

/** The text fields of an upload. */
interface UploadTexts {
  readonly defaults: Readonly<Record<string, string>>;
  /** Sorted, so that their order does not matter. */
  readonly labels: readonly string[];
  /** `undefined` for the default, which is not sent, so that services without this field accept the upload. */
  readonly coverage: Exclude<Coverage, 'partial'> | undefined;
  /** Sent only if `true`, like the coverage. */
  readonly dryRun: boolean;
}

/** Uploads a file in one request. Throws a PushError if the service rejects it. */
export async function sendFile(
  service: Service,
  file: UploadFile,
  limits: Limits,
  options: UploadOptions,
): Promise<Upload> {
  const { idempotencyKey, onProgress } = options;
  if (idempotencyKey !== undefined) assertValidHeaderValue(idempotencyKey);
  const texts = uploadTextsOf(options);
  const encoding = file.compressed ? 'identity' : bestEncoding(limits.encodings);
  assertFits(file, encoding, limits);
  const body = uploadBody(file, encoding, partsOf(texts), (bytes) =>
    onProgress?.({ bytes, total: file.bytes }),
  );
  const request: ServiceRequest = {
    method: 'POST',
    path: INGESTIONS,
    headers: {
      ...body.headers,
      'idempotency-key': idempotencyKey ?? idempotencyKeyOf(file, texts),
    },
    body: body.stream,
  };
  const upload = await createJob(service, request, texts.dryRun ? assertSupportsDryRuns : undefined);
  if (texts.dryRun && !upload.dryRun)
    throw new PushError(
      'not_understood',
      `the service does not support dry runs, and ingests the file as job ${upload.ingestion.id}`,
    );
  return upload;
}

function uploadTextsOf(options: UploadOptions): UploadTexts {
  const { labels = {}, coverage, dryRun = false } = options;
  return {
    defaults: textsOf(options),
    labels: Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .sort(),
    coverage: coverage === 'partial' ? undefined : coverage,
    dryRun,
  };
}

function partsOf({ defaults, labels, coverage, dryRun }: UploadTexts): readonly TextPart[] {
  return [
    ...Object.entries(defaults),
    ...labels.map((label) => ['label', label] as const),
    ...(coverage === undefined ? [] : [['coverage', coverage] as const]),
    ...(dryRun ? [['dry_run', 'true'] as const] : []),
  ];
}

/** The defaults that are set. */
export function textsOf({ provider, account }: RecordDefaults): Readonly<Record<string, string>> {
  return { ...(provider !== undefined && { provider }), ...(account !== undefined && { account }) };
}

/**
 * Sends a request that creates a job. Throws a PushError if the service rejects it. `assertSupported` can throw a more
 * specific one.
 */
export async function createJob(
  service: Service,
  request: ServiceRequest,
  assertSupported: (response: ServiceResponse) => void = () => undefined,
): Promise<Upload> {
  const response = await service.send(request);
  assertSupported(response);
  const { data, meta } = readResponse(response, { request: nameOf(request), schema: acceptedDocument });
  return {
    ...data,
    replayed: response.headers.get('idempotency-replayed') === 'true',
    scansUrl: meta.scans_url ?? serviceUrl(service.baseUrl, '/scans'),
  };
}

/** Accepts printable ASCII (RFC 9110, section 5.5), as the service does. */
export function assertValidHeaderValue(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return;
  const message = 'invalid idempotency key; use 1 to 255 printable ASCII characters without spaces';
  throw new PushError('invalid_setting', message);
}

/**
 * Checks the upload limit if the request is not compressed, and the limit on decompressed data if the file is not
 * compressed. Otherwise, only the service can check these limits.
 */
function assertFits(file: UploadFile, encoding: Encoding, limits: Limits): void {
  const max = Math.min(
    encoding === 'identity' ? limits.uploadMaxBytes : Infinity,
    file.compressed ? Infinity : limits.inflatedMaxBytes,
  );
  if (file.bytes <= max) return;
  const message = `${file.path} has ${file.bytes} bytes, but the service accepts at most ${max}; split the file`;
  throw new PushError('file_too_large', message);
}

/** Identical content with different text fields is a different upload. */
function idempotencyKeyOf(
  { sha256 }: UploadFile,
  { defaults, labels, coverage, dryRun }: UploadTexts,
): string {
  const hashOf = (texts: unknown) =>
    createHash('sha256').update(sha256).update(JSON.stringify(texts)).digest('hex');
  if (dryRun) return hashOf([defaults, labels, coverage ?? null, 'dry_run']);
  if (coverage !== undefined) return hashOf([defaults, labels, coverage]);
  // Without dry run, coverage and labels, the key is that of earlier versions.
  if (labels.length > 0) return hashOf([defaults, labels]);
  return Object.keys(defaults).length > 0 ? hashOf(defaults) : sha256;
}
