import { S3ServiceException } from '@aws-sdk/client-s3';
import { codeOf } from '../error-code.ts';
import { BLOB_STORE_UNAVAILABLE } from './blob-store-unavailable.ts';

/** Something that was asked of S3 and did not happen. */
export class S3Failure extends Error {
  /** The name of the fault, S3's or Node's; S3 has none for the answer to a HEAD request. */
  readonly fault: string;
  readonly status: number | undefined;
  /** As every blob store has it. */
  readonly code: string;

  constructor(message: string, fault: string, status: number | undefined) {
    super(message);
    this.name = 'S3Failure';
    this.fault = fault;
    this.status = status;
    this.code = codeOfFault(fault, status);
  }
}

/** What S3 said of this object, and not of itself, the bucket or who asks. */
const OF_THE_OBJECT: ReadonlySet<string> = new Set(['NoBody', 'OtherRange', 'NoSuchUpload', 'InvalidPart']);

/** Credentials that expired and policies that were changed are mended by an operator, as a server that is down is. */
function codeOfFault(fault: string, status: number | undefined): string {
  if (fault === 'NoSuchKey') return 'ENOENT';
  if (status === 507) return 'ENOSPC';
  return status === 412 || status === 416 || OF_THE_OBJECT.has(fault) ? fault : BLOB_STORE_UNAVAILABLE;
}

/**
 * What could not be done and why, in a sentence. The SDK's error is not kept as the cause: all that the server has
 * answered hangs on it, which can be the id of the access key and what was signed.
 */
export function s3Failure(what: string, error: unknown): S3Failure {
  if (error instanceof S3Failure) return error;
  const fault = faultOf(error);
  const { message } = error instanceof Error ? error : { message: String(error) };
  const details: string[] = [];
  const { httpStatusCode: status, requestId } = error instanceof S3ServiceException ? error.$metadata : {};
  if (status !== undefined) details.push(`HTTP ${status}`);
  if (requestId !== undefined) details.push(`request ${requestId}`);
  const reason = message === '' || message === fault ? fault : `${fault}: ${message}`;
  const behind = details.length > 0 ? ` (${details.join(', ')})` : '';
  return new S3Failure(`could not ${what}: ${reason}${behind}`, fault, status);
}

/** Failed connections have a code, and that of several addresses has no message. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return codeOf(error) ?? error.name;
}
