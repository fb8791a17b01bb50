import path from 'node:path';

/** Whether this process runs the TypeScript sources of a checkout. An installed package contains only JavaScript. */
export const RUNS_FROM_SOURCE = path.extname(import.meta.url) === '.ts';
