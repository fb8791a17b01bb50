export const JOB = '01a1b2c3-d4e5-7f60-8a9b-0c1d2e3f4a5b';
export const KEY = { SCANNER_CLOUD_API_KEY: 'example-api-key' };
export const FINDINGS = [
  { status_code: 'FAIL', status: 'New' },
  { status_code: 'FAIL', status: 'Suppressed' },
  { status_code: 'PASS', status: 'New' },
];

/** Returns the result of a file that the service accepted. */
export function acceptedFile(file: string, overrides: Readonly<Record<string, unknown>> = {}) {
  return {
    file,
    ingestion_id: JOB,
    replayed: false,
    status: 'completed',
    summary: { total: 3, processed: 3, invalid: 0 },
    scans_url: 'http://127.0.0.1:8080/scans',
    errors: [],
    problem: null,
    ...overrides,
  };
}

/** Overrides for a file that the service did not accept. */
export const NOT_ACCEPTED = { ingestion_id: null, status: null, summary: null, scans_url: null };
