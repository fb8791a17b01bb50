import type { AccessRule } from './access.ts';

/** The access rule for findings and for resources derived from them. */
export const READ_FINDINGS: AccessRule = { permissions: ['read_findings'] };
