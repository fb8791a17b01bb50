import type { Suite } from './suite.ts';
import { INGEST } from './suites/ingest.ts';

/** In the order in which they run. */
export const ALL_SUITES: readonly Suite[] = [INGEST];

/** Those that run when none is named; the others take minutes before they measure anything. */
export const USUAL_SUITES: readonly string[] = ['ingest', 'upload', 'latency', 'growth'];
