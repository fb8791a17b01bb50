export const JOB = '01a1b2c3-d4e5-7f60-8a9b-0c1d2e3f4a5b';
export const KEY = { SCANNER_CLOUD_API_KEY: 'a-key-that-nobody-has' };
export const FINDINGS = [
  { status_code: 'FAIL', status: 'New' },
  { status_code: 'FAIL', status: 'Suppressed' },
  { status_code: 'PASS', status: 'New' },
];

/** One file that was taken. */
export function taken(file: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    file,
    ingestion_id: JOB,
    replayed: false,
    status: 'completed',
    summary: { total: 3, processed: 3, invalid: 0 },
    scans_url: 'http://127.0.0.1:8080/scans',
    errors: [],
    problem: null,
    ...more,
  };
}

/** What stands in it where the service took nothing. */
export const REFUSED = { ingestion_id: null, status: null, summary: null, scans_url: null };
