import { fileURLToPath } from 'node:url';
import { optionalText, type SettingValues, setting, url } from './setting.ts';

/** The type and location of the blob store: plain data, so that it can be passed to threads. */
export type BlobStoreSettings = FolderSettings | (BucketLocation & S3Access);

interface FolderSettings {
  readonly type: 'file';
  readonly folder: string;
}

interface BucketLocation {
  readonly type: 's3';
  readonly bucket: string;
  /** Prefix of every key: empty, or segments that each end with `/`. */
  readonly prefix: string;
}

/** How to access a bucket. The AWS SDK determines the region itself. */
interface S3Access {
  /** URL of an S3 server other than AWS. */
  readonly endpoint: string | undefined;
  /** Set if a key was read from a file; otherwise the AWS SDK determines the credentials. */
  readonly credentials: S3Credentials | undefined;
}

interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const HTTP = ['http:', 'https:'];

export const BLOB_STORE_SETTINGS = {
  SLUICE_BLOB_STORE: setting<FolderSettings | BucketLocation | undefined>(
    {
      description: 'Folder (file:///path) or bucket (s3://bucket/prefix) for uploads',
      default: 'blobs in SLUICE_DATA_DIR',
    },
    undefined,
    (text, reject) => {
      const location = readLocation(text);
      if (typeof location !== 'string') return location;
      reject(location);
      return undefined;
    },
  ),
  AWS_REGION: optionalText('S3 region'),
  AWS_ACCESS_KEY_ID: optionalText('S3 access key ID'),
  AWS_SECRET_ACCESS_KEY: optionalText('S3 secret access key'),
  AWS_SESSION_TOKEN: optionalText('Session token of temporary S3 credentials'),
  AWS_ENDPOINT_URL: url('URL of an S3 server other than AWS', HTTP),
  AWS_ENDPOINT_URL_S3: url('Like AWS_ENDPOINT_URL, but for S3 only; takes precedence', HTTP),
};

type Values = SettingValues<typeof BLOB_STORE_SETTINGS>;

/**
 * Returns the configured blob store. `folder` is the default, and `fromFiles` names the settings that were read from
 * files.
 */
export function blobStoreSettings(
  settings: Values,
  folder: string,
  fromFiles: ReadonlySet<string>,
): BlobStoreSettings {
  const location = settings.SLUICE_BLOB_STORE ?? { type: 'file', folder };
  if (location.type === 'file') return location;
  // As in the AWS SDK, the service-specific endpoint overrides the general endpoint.
  const endpoint = settings.AWS_ENDPOINT_URL_S3 ?? settings.AWS_ENDPOINT_URL;
  return { ...location, endpoint: endpoint?.href, credentials: readCredentials(settings, fromFiles) };
}

/** Returns error messages if one S3 key is read from a file and the other is not set. */
export function incompleteCredentials(settings: Values, fromFiles: ReadonlySet<string>): string[] {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  if (!names.some((name) => fromFiles.has(name))) return [];
  return names
    .filter((name) => settings[name] === undefined)
    .map((name) => `${name} or ${name}_FILE must be set, because the other S3 key is read from a file`);
}

/**
 * Returns credentials only if a file was read; otherwise the AWS SDK determines them, and renews temporary credentials.
 */
function readCredentials(settings: Values, fromFiles: ReadonlySet<string>): S3Credentials | undefined {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = settings;
  if (!fromFiles.has('AWS_ACCESS_KEY_ID') && !fromFiles.has('AWS_SECRET_ACCESS_KEY')) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** Parses a `SLUICE_BLOB_STORE` URL. If the URL is invalid, returns an error message that does not contain the URL. */
function readLocation(text: string): FolderSettings | BucketLocation | string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !['file:', 's3:'].includes(parsed.protocol))
    return 'must be a URL that starts with file:// or s3://';
  if (parsed.search !== '' || parsed.hash !== '') return 'must not have a query or a fragment';
  return parsed.protocol === 's3:' ? readBucket(parsed) : readFolder(parsed);
}

function readFolder(location: URL): FolderSettings | string {
  if (location.host !== '') return 'must have the form file:///path, without a host';
  if (/%2f|%00/i.test(location.pathname)) return 'must not contain %2F or %00 in its path';
  return { type: 'file', folder: fileURLToPath(location) };
}

function readBucket(location: URL): BucketLocation | string {
  if (location.username !== '' || location.password !== '' || location.port !== '')
    return 'must have the form s3://bucket/prefix, without credentials or port: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL for another server';
  const bucket = location.hostname;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/.test(bucket))
    return 'must contain a bucket name, as in s3://bucket/prefix';
  const segments = location.pathname.replace(/^\/|\/$/g, '').split('/');
  if (segments.length === 1 && segments[0] === '') return { type: 's3', bucket, prefix: '' };
  if (!segments.every((segment) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(segment)))
    return 'must have a prefix of letters, digits, dots, underscores and hyphens, whose segments do not start with a dot';
  return { type: 's3', bucket, prefix: `${segments.join('/')}/` };
}
