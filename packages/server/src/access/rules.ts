import type { AccessRule } from '../plugins/access.ts';

/** Access to findings and to resources derived from them. */
export const READ_FINDINGS: AccessRule = { permissions: ['read_findings'] };
