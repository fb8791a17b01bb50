import { HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { OperatorError } from '../operator-error.ts';
import { type S3Failure, s3Failure } from './s3-failure.ts';

/** Throws an OperatorError, one sentence that says what to mend, where the bucket cannot be used. */
export async function assertBucket(client: S3Client, bucket: string): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    const failure = s3Failure(`reach the bucket ${bucket}`, error);
    throw new OperatorError(`the blob store cannot be used: ${reason(bucket, failure)}`);
  }
}

function reason(bucket: string, { status, fault, message }: S3Failure): string {
  // Answers to HEAD have no body, so the status is all there is.
  if (status === 404) return `there is no bucket ${bucket}; make it, or set SLUICE_BLOB_STORE`;
  if (status === 401 || status === 403)
    return `access to the bucket ${bucket} is denied; the credentials need s3:ListBucket and s3:ListBucketMultipartUploads on it, and s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on what is in it`;
  if (status === 301 || status === 400)
    return `the bucket ${bucket} is not in this region, or the request was refused (HTTP ${status}); set AWS_REGION to the bucket's`;
  if (fault === 'CredentialsProviderError')
    return 'there are no credentials for S3; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source that the AWS SDK knows';
  if (/Region (is missing|not accepted)/.test(message)) return 'AWS_REGION is not set, or names no region';
  return `${message}; set SLUICE_BLOB_STORE and AWS_ENDPOINT_URL`;
}
