import type { NonEmpty } from './random.ts';

/** Which resources a check is about; the first scope is all of them. */
export interface Scope {
  code: string;
  words: string;
  note: string;
}

/** The scopes that, with the controls, make up the checks. */
export const SCOPES: NonEmpty<Scope> = [
  { code: '', words: '', note: '' },
  { code: 'production', words: 'in production', note: 'Customers are served here.' },
  { code: 'staging', words: 'in staging', note: 'Staging often holds a copy of real data.' },
  { code: 'shared', words: 'in shared services', note: 'Many workloads depend on these.' },
  { code: 'personal_data', words: 'with personal data', note: 'A loss has to be reported.' },
  { code: 'payment_data', words: 'with payment data', note: 'In scope of the yearly assessment.' },
  { code: 'health_data', words: 'with health data', note: 'The data must stay in its region.' },
  { code: 'partner', words: 'used by partners', note: 'Partners sign in with their own accounts.' },
  { code: 'legacy', words: 'of legacy systems', note: 'Exceptions end after six months.' },
  { code: 'analytics', words: 'of analytics', note: 'Analytics reads from nearly everywhere.' },
  { code: 'build', words: 'of build systems', note: 'What is built here runs everywhere.' },
  { code: 'management', words: 'of management', note: 'These accounts reach into all others.' },
  { code: 'recovery', words: 'of the recovery site', note: 'It has to be as strict as the first site.' },
  { code: 'edge', words: 'at the edge', note: 'The edge meets strangers first.' },
  { code: 'batch', words: 'of batch jobs', note: 'Batch jobs run unattended.' },
  { code: 'internal', words: 'of internal tools', note: 'Internal tools tend to trust their network.' },
];
