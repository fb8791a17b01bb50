import type { Suite } from './suite.ts';
import { GROWTH } from './suites/growth.ts';
import { INGEST } from './suites/ingest.ts';
import { LATENCY } from './suites/latency.ts';
import { PROFILE } from './suites/profile.ts';
import { READING } from './suites/reading.ts';
import { UPLOAD } from './suites/upload.ts';

/** In the order in which they run. */
export const ALL_SUITES: readonly Suite[] = [INGEST, PROFILE, UPLOAD, LATENCY, READING, GROWTH];

/** Those that run when none is named; reading has its own script, as it takes minutes to fill its tables. */
export const USUAL_SUITES: readonly string[] = [INGEST, PROFILE, UPLOAD, LATENCY, GROWTH].map(
  ({ name }) => name,
);
