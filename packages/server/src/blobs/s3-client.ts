import { HeadBucketCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { BlobStoreSettings } from '../config/blob-store-settings.ts';
import { codeOf, messageOf, OperatorError } from '../lib/errors.ts';
import { BLOB_STORE_UNAVAILABLE } from './blob-store.ts';

/** Retries and time limits of a client. */
export interface S3Timeouts {
  readonly attempts: number;
  readonly connectMs: number;
  /** How long a connection may be idle during a request. */
  readonly idleMs: number;
  /** Time limit of one read, including retries. */
  readonly readMs: number;
}

/**
 * All attempts to send a request to an unresponsive server fit into one minute. After a minute, PostgreSQL would end
 * the worker's transaction and scanners would give up, with errors that hide the cause.
 */
export const DEFAULT_TIMEOUTS: S3Timeouts = {
  attempts: 5,
  connectMs: 5000,
  idleMs: 10_000,
  readMs: 50_000,
};

/**
 * Creates an S3 client. The AWS SDK determines the region, and the credentials (environment, files, instance role)
 * unless the settings contain them.
 */
export function createS3Client(
  { endpoint, credentials }: BlobStoreSettings & { readonly type: 's3' },
  timeouts: S3Timeouts,
): S3Client {
  return new S3Client({
    ...(credentials !== undefined && { credentials }),
    // Servers other than AWS usually do not have a separate host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    retryMode: 'standard',
    maxAttempts: timeouts.attempts,
    // With this header, the client would open a new connection for each part and wait for a response before sending the
    // part.
    expectContinueHeader: false,
    requestHandler: { connectionTimeout: timeouts.connectMs, socketTimeout: timeouts.idleMs },
  });
}

/** Throws an OperatorError with the remedy if the bucket cannot be used. */
export async function assertBucket(client: S3Client, bucket: string): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    const failure = s3Failure(`reach the bucket ${bucket}`, error);
    throw new OperatorError(`the blob store cannot be used: ${reason(bucket, failure)}`);
  }
}

function reason(bucket: string, { status, fault, message }: S3Failure): string {
  // Responses to HEAD requests have no body, so only the status is known.
  if (status === 404)
    return `the bucket ${bucket} does not exist; create it, or set SLUICE_BLOB_STORE to another bucket`;
  if (status === 401 || status === 403)
    return `access to the bucket ${bucket} is denied; grant the credentials s3:ListBucket and s3:ListBucketMultipartUploads on the bucket, and s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on its objects`;
  if (status === 301 || status === 400)
    return `the bucket ${bucket} is in another region, or the request was rejected (HTTP ${status}); set AWS_REGION to the region of the bucket`;
  if (fault === 'CredentialsProviderError')
    return 'no S3 credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use another source that the AWS SDK supports';
  if (/Region (is missing|not accepted)/.test(message))
    return 'AWS_REGION is missing or is not a region; set it to the region of the bucket';
  return `${message}; check SLUICE_BLOB_STORE and AWS_ENDPOINT_URL`;
}

/** Sends a request. Throws an S3Failure that describes the action, such as `list the blobs`. */
export async function sendRequest<Response>(
  action: string,
  send: () => Promise<Response>,
): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    throw s3Failure(action, error);
  }
}

/** A request to S3 failed. */
export class S3Failure extends Error {
  /** The error name from S3 or Node.js. Responses to HEAD requests have none. */
  readonly fault: string;
  readonly status: number | undefined;
  /** The error code shared by all types of blob stores. */
  readonly code: string;

  constructor(message: string, fault: string, status: number | undefined) {
    super(message);
    this.name = 'S3Failure';
    this.fault = fault;
    this.status = status;
    this.code = codeOfFault(fault, status);
  }
}

/** Errors that concern one object, not the service, the bucket or the credentials. */
const OBJECT_FAULTS: ReadonlySet<string> = new Set(['NoBody', 'WrongRange', 'NoSuchUpload', 'InvalidPart']);

/** Expired credentials and changed policies count as unavailable, because an operator has to fix them. */
function codeOfFault(fault: string, status: number | undefined): string {
  if (fault === 'NoSuchKey') return 'ENOENT';
  if (status === 507) return 'ENOSPC';
  return status === 412 || status === 416 || OBJECT_FAULTS.has(fault) ? fault : BLOB_STORE_UNAVAILABLE;
}

/**
 * Describes the failed action and the reason in one sentence. The SDK's error is not kept as the cause, because it
 * contains the whole response, which may include the access key id and the signed request.
 */
export function s3Failure(action: string, error: unknown): S3Failure {
  if (error instanceof S3Failure) return error;
  const fault = faultOf(error);
  const message = messageOf(error);
  const details: string[] = [];
  const { httpStatusCode: status, requestId } = error instanceof S3ServiceException ? error.$metadata : {};
  if (status !== undefined) details.push(`HTTP ${status}`);
  if (requestId !== undefined) details.push(`request ${requestId}`);
  const reason = message === '' || message === fault ? fault : `${fault}: ${message}`;
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : '';
  return new S3Failure(`could not ${action}: ${reason}${suffix}`, fault, status);
}

/**
 * The code of a connection error, because its message is empty if several addresses failed; otherwise the error name.
 */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return codeOf(error) ?? error.name;
}
