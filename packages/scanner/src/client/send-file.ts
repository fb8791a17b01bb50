import { createHash } from 'node:crypto';
import { serviceUrl } from './base-url.ts';
import { acceptedDocument, type Ingestion } from './documents.ts';
import { bestEncoding, type Encoding } from './encoding.ts';
import type { Limits } from './limits.ts';
import { PushError } from './push-error.ts';
import { readResponse } from './response.ts';
import { nameOf, type Service, type ServiceRequest } from './service.ts';
import { uploadBody } from './upload-body.ts';
import type { UploadFile } from './upload-file.ts';

/** Below `/api/v1`. */
export const INGESTIONS = '/ingestions';

export interface UploadOptions {
  /** The file name that the service receives; default: the name of the file. */
  readonly name?: string | undefined;
  /** For records that name no provider, or no account. */
  readonly provider?: string | undefined;
  readonly account?: string | undefined;
  /** Default: the SHA-256 of the content, inflated, so that no file becomes two jobs however often it is sent. */
  readonly idempotencyKey?: string | undefined;
  /** Called as the file is read; an attempt that is repeated starts at 0 again. */
  readonly onProgress?: ((progress: { readonly bytes: number; readonly total: number }) => void) | undefined;
}

export interface Upload {
  readonly ingestion: Ingestion;
  /** The service had this upload already; the job is the one that it made then. */
  readonly replayed: boolean;
  /** The page on which people see what came in. */
  readonly scansUrl: string;
}

/** Uploads a file as one request. Throws a PushError where the service does not take it. */
export async function sendFile(
  service: Service,
  file: UploadFile,
  limits: Limits,
  options: UploadOptions,
): Promise<Upload> {
  const { provider, account, onProgress } = options;
  if (options.idempotencyKey !== undefined) assertValidHeaderValue(options.idempotencyKey);
  const texts = { ...(provider !== undefined && { provider }), ...(account !== undefined && { account }) };
  const encoding = file.compressed ? 'identity' : bestEncoding(limits.encodings);
  assertFits(file, encoding, limits);
  const body = uploadBody(file, encoding, texts, (bytes) => onProgress?.({ bytes, total: file.bytes }));
  const request: ServiceRequest = {
    method: 'POST',
    path: INGESTIONS,
    headers: { ...body.headers, 'idempotency-key': options.idempotencyKey ?? idempotencyKeyOf(file, texts) },
    body: body.stream,
  };
  const response = await service.send(request);
  const { data, meta } = readResponse(response, { request: nameOf(request), schema: acceptedDocument });
  return {
    ingestion: data,
    replayed: response.headers.get('idempotency-replayed') === 'true',
    scansUrl: meta.scans_url ?? serviceUrl(service.baseUrl, '/scans'),
  };
}

/** What is compressed on the way can be larger than what is sent, and what came compressed larger than the file. */
function assertFits(file: UploadFile, encoding: Encoding, limits: Limits): void {
  const max = Math.min(
    encoding === 'identity' ? limits.uploadMaxBytes : Infinity,
    file.compressed ? Infinity : limits.inflatedMaxBytes,
  );
  if (file.bytes <= max) return;
  const message = `${file.path} has ${file.bytes} bytes, and the service takes ${max}; split it`;
  throw new PushError('file_too_large', message);
}

/** What the header can hold everywhere (RFC 9110, section 5.5); the service takes no more than that. */
function assertValidHeaderValue(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return;
  const message =
    'the idempotency key is wrong; give 1 to 255 letters, digits and signs of ASCII, without blanks';
  throw new PushError('invalid_setting', message);
}

/** The same content with other defaults is another upload. */
function idempotencyKeyOf({ sha256 }: UploadFile, texts: Readonly<Record<string, string>>): string {
  if (Object.keys(texts).length === 0) return sha256;
  return createHash('sha256').update(sha256).update(JSON.stringify(texts)).digest('hex');
}
