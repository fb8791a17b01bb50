import type { NonEmpty } from './random.ts';

/** The resources that a check applies to. The first scope covers all of them. */
export interface Scope {
  code: string;
  /** Ends the title of the check. */
  suffix: string;
  note: string;
}

/** Controls and scopes together make up the checks. */
export const SCOPES: NonEmpty<Scope> = [
  { code: '', suffix: '', note: '' },
  { code: 'production', suffix: 'in production', note: 'Applies to customer-facing systems.' },
  { code: 'staging', suffix: 'in staging', note: 'Staging often contains production data.' },
  { code: 'shared', suffix: 'in shared services', note: 'Many workloads depend on these.' },
  { code: 'personal_data', suffix: 'in personal data stores', note: 'Breaches must be reported.' },
  { code: 'payment_data', suffix: 'in payment systems', note: 'In scope for PCI DSS audits.' },
  { code: 'health_data', suffix: 'in health data stores', note: 'Data must stay in its region.' },
  { code: 'partner', suffix: 'in partner integrations', note: 'Partners use their own accounts.' },
  { code: 'legacy', suffix: 'in legacy systems', note: 'Exceptions expire after six months.' },
  { code: 'analytics', suffix: 'in analytics systems', note: 'Analytics reads from most data stores.' },
  { code: 'build', suffix: 'in build systems', note: 'Build artifacts run in every environment.' },
  { code: 'management', suffix: 'in management accounts', note: 'These accounts can access all others.' },
  { code: 'recovery', suffix: 'in recovery sites', note: 'Must match the primary site.' },
  { code: 'edge', suffix: 'in edge services', note: 'Edge services receive untrusted traffic.' },
  { code: 'batch', suffix: 'in batch jobs', note: 'Batch jobs run unattended.' },
  { code: 'internal', suffix: 'in internal tools', note: 'Often without authentication.' },
];
