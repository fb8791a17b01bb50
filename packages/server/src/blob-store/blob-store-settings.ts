import { fileURLToPath } from 'node:url';

/** Which blob store, and where: plain data, so that it crosses into threads. */
export type BlobStoreSettings =
  | { readonly type: 'file'; readonly folder: string }
  | {
      readonly type: 's3';
      readonly bucket: string;
      /** Stands in front of every key: '' or segments, each with `/` behind it. */
      readonly prefix: string;
      /** Of another S3 than that of AWS. Region and credentials are found by the AWS SDK itself. */
      readonly endpoint: string | undefined;
    };

/** A file or S3 URL that cannot be used; the message goes on after the setting's name. */
export class BlobStoreSettingError extends Error {}

/** Reads a `SLUICE_BLOB_STORE` URL. Throws a BlobStoreSettingError, which does not show the value. */
export function readBlobStoreUrl(url: URL, endpoint: string | undefined): BlobStoreSettings {
  if (url.search !== '' || url.hash !== '')
    throw new BlobStoreSettingError('must have nothing behind its path');
  return url.protocol === 's3:' ? s3(url, endpoint) : file(url);
}

function file(url: URL): BlobStoreSettings {
  if (url.host !== '') throw new BlobStoreSettingError('must name a folder as file:///path, without a host');
  return { type: 'file', folder: fileURLToPath(url) };
}

function s3(url: URL, endpoint: string | undefined): BlobStoreSettings {
  if (url.username !== '' || url.password !== '' || url.port !== '') {
    throw new BlobStoreSettingError(
      'must be s3://bucket/prefix alone: credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, another server from AWS_ENDPOINT_URL',
    );
  }
  const bucket = url.hostname;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/.test(bucket))
    throw new BlobStoreSettingError('must name a bucket, as in s3://bucket/prefix');
  const segments = url.pathname.replace(/^\/|\/$/g, '').split('/');
  if (segments.length === 1 && segments[0] === '') return { type: 's3', bucket, prefix: '', endpoint };
  if (!segments.every((segment) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(segment))) {
    throw new BlobStoreSettingError(
      'must have a prefix of letters, digits and ._- in segments that do not start with a dot',
    );
  }
  return { type: 's3', bucket, prefix: `${segments.join('/')}/`, endpoint };
}
