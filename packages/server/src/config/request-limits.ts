import { integer, optionalInteger, type SettingValues } from './setting.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const DEFAULT_PAGE_SIZE = 10;
const LARGEST_PAGE = 100_000;

/** Request limits. 0 requests or uploads per minute means no limit. */
export interface RequestLimits {
  readonly uploadMaxBytes: number;
  readonly inflatedMaxBytes: number;
  readonly recordMaxBytes: number;
  readonly recordMaxDepth: number;
  readonly recordMaxKeys: number;
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  readonly errorsKeptPerJob: number;
  readonly requestsPerMinute: number;
  readonly uploadsPerMinute: number;
}

export const REQUEST_SETTINGS = {
  SLUICE_UPLOAD_MAX_BYTES: integer('Maximum file size as received, in bytes', { default: GIB, min: 1 }),
  SLUICE_INFLATED_MAX_BYTES: integer('Maximum file size after decompression, in bytes', {
    default: 5 * GIB,
    min: 1,
  }),
  SLUICE_RECORD_MAX_BYTES: integer('Maximum record size, in bytes', {
    default: 4 * MIB,
    min: 1,
    max: 64 * MIB,
  }),
  SLUICE_RECORD_MAX_DEPTH: integer('Maximum nesting depth of a record', { default: 100, min: 1, max: 1000 }),
  SLUICE_RECORD_MAX_KEYS: integer('Maximum number of keys in a record', { default: 50_000, min: 1 }),
  SLUICE_DEFAULT_PAGE_SIZE: optionalInteger('Default page size', {
    shownDefault: String(DEFAULT_PAGE_SIZE),
    min: 1,
    max: LARGEST_PAGE,
  }),
  SLUICE_MAX_PAGE_SIZE: integer('Maximum page size', {
    default: 1000,
    min: 1,
    max: LARGEST_PAGE,
  }),
  SLUICE_ERRORS_KEPT_PER_JOB: integer('Maximum errors stored per job; counts remain exact', {
    default: 10_000,
    min: 0,
  }),
  SLUICE_REQUESTS_PER_MINUTE: integer('Maximum requests per minute per API key; 0 means no limit', {
    default: 600,
    min: 0,
  }),
  SLUICE_UPLOADS_PER_MINUTE: integer('Maximum uploads per minute per API key; 0 means no limit', {
    default: 60,
    min: 0,
  }),
};

type RequestSettings = SettingValues<typeof REQUEST_SETTINGS>;

/** Converts the settings to limits. */
export function requestLimits(settings: RequestSettings): RequestLimits {
  const maxPageSize = settings.SLUICE_MAX_PAGE_SIZE;
  return {
    uploadMaxBytes: settings.SLUICE_UPLOAD_MAX_BYTES,
    inflatedMaxBytes: settings.SLUICE_INFLATED_MAX_BYTES,
    recordMaxBytes: settings.SLUICE_RECORD_MAX_BYTES,
    recordMaxDepth: settings.SLUICE_RECORD_MAX_DEPTH,
    recordMaxKeys: settings.SLUICE_RECORD_MAX_KEYS,
    defaultPageSize: settings.SLUICE_DEFAULT_PAGE_SIZE ?? Math.min(DEFAULT_PAGE_SIZE, maxPageSize),
    maxPageSize,
    errorsKeptPerJob: settings.SLUICE_ERRORS_KEPT_PER_JOB,
    requestsPerMinute: settings.SLUICE_REQUESTS_PER_MINUTE,
    uploadsPerMinute: settings.SLUICE_UPLOADS_PER_MINUTE,
  };
}

/** Returns error messages for contradictory page sizes. */
export function contradictingPageSizes(settings: RequestSettings): string[] {
  const { SLUICE_DEFAULT_PAGE_SIZE: size = 1, SLUICE_MAX_PAGE_SIZE: max } = settings;
  if (size <= max) return [];
  return [`SLUICE_DEFAULT_PAGE_SIZE must be at most SLUICE_MAX_PAGE_SIZE (${max}), not '${size}'`];
}
