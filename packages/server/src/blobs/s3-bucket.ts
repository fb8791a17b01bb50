import { HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { OperatorError } from '../lib/operator-error.ts';
import { type S3Failure, s3Failure } from './s3-failure.ts';

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
