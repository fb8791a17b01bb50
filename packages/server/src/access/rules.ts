import type { AccessRule } from '../plugins/access.ts';

/** Who may see findings, and what is derived from them. */
export const READ_FINDINGS: AccessRule = { permissions: ['read_findings'] };
