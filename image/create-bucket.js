// Creates the bucket of SLUICE_BLOB_STORE if it does not exist, for the S3 server in compose.yaml. The AWS SDK reads region,
// credentials, and endpoint from the environment. It does not support *_FILE variables.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { protocol, hostname: Bucket } = new URL(process.env.SLUICE_BLOB_STORE ?? 'unset:');
if (protocol !== 's3:' || Bucket === '') {
  console.error('create-bucket: SLUICE_BLOB_STORE must be a URL such as s3://bucket/prefix');
  process.exit(1);
}
const client = new S3Client({ forcePathStyle: true });
try {
  await client.send(new HeadBucketCommand({ Bucket }));
  console.log(`Bucket ${Bucket} already exists.`);
} catch (error) {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
  await client.send(new CreateBucketCommand({ Bucket }));
  console.log(`Created bucket ${Bucket}.`);
}
