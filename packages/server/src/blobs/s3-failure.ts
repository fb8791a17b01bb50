import { S3ServiceException } from '@aws-sdk/client-s3';
import { codeOf } from '../lib/error-code.ts';
import { BLOB_STORE_UNAVAILABLE } from './blob-store-unavailable.ts';

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
 * Describes the failed action and the reason in one sentence. The SDK's error is not kept as the cause, because it contains
 * the whole response, which may include the access key id and the signed request.
 */
export function s3Failure(action: string, error: unknown): S3Failure {
  if (error instanceof S3Failure) return error;
  const fault = faultOf(error);
  const { message } = error instanceof Error ? error : { message: String(error) };
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
