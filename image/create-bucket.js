// Makes the bucket that SLUICE_BLOB_STORE names, where it is not there yet: for an S3 server that starts empty, as in
// compose.yaml. The AWS SDK finds region, credentials and endpoint; it knows no *_FILE variables.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { protocol, hostname: Bucket } = new URL(process.env.SLUICE_BLOB_STORE ?? 'unset:');
if (protocol !== 's3:' || Bucket === '') {
  console.error('create-bucket: SLUICE_BLOB_STORE must be a URL such as s3://bucket/prefix');
  process.exit(1);
}
const client = new S3Client({ forcePathStyle: true });
try {
  await client.send(new HeadBucketCommand({ Bucket }));
  console.log(`the bucket ${Bucket} is there`);
} catch (error) {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
  await client.send(new CreateBucketCommand({ Bucket }));
  console.log(`the bucket ${Bucket} was made`);
}
