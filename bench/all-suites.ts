import type { Suite } from './suite.ts';
import { ACCEPT } from './suites/accept.ts';
import { ADVERSE } from './suites/adverse.ts';
import { CITUS } from './suites/citus.ts';
import { CONSOLE } from './suites/console.ts';
import { GROWTH } from './suites/growth.ts';
import { INGEST } from './suites/ingest.ts';
import { LATENCY } from './suites/latency.ts';
import { PROFILE } from './suites/profile.ts';
import { READING } from './suites/reading.ts';
import { SCANS } from './suites/scans.ts';
import { UPLOAD } from './suites/upload.ts';

/** All suites, in the order in which they run. */
export const ALL_SUITES: readonly Suite[] = [
  INGEST,
  ADVERSE,
  SCANS,
  PROFILE,
  UPLOAD,
  LATENCY,
  ACCEPT,
  READING,
  GROWTH,
  CONSOLE,
  CITUS,
];

/**
 * The suites that run by default. Excludes `reading`, which takes minutes to prepare, `console`, which requires a
 * browser, and `citus`, which requires a cluster.
 */
export const DEFAULT_SUITES: readonly string[] = [
  INGEST,
  ADVERSE,
  SCANS,
  PROFILE,
  UPLOAD,
  LATENCY,
  ACCEPT,
  GROWTH,
].map(({ name }) => name);
