/** The groups of operations in the API description. */
export const TAGS = {
  Ingestions: 'Upload files with findings, track ingestion jobs, and list errors in records.',
  Findings: 'Query the current state of every finding.',
  Scans: 'Results per upload, account and scan.',
  Providers: 'Accounts with findings. Each account counts toward the subscription.',
  Checks: 'The security checks that produced the findings.',
  Access: 'API keys, users and roles.',
  Account: 'Subscription and audit log.',
  Limits: 'Size, rate and time limits.',
} as const;

export type Tag = keyof typeof TAGS;
