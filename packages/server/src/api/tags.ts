/** The groups in which the description shows operations. */
export const TAGS = {
  Ingestions: 'Uploaded files, the jobs that process them, and what was wrong with their records',
  Findings: 'The current state of every finding',
  Scans: 'What came in: one scan of one account in one upload',
  Providers: 'The accounts that findings belong to, and that a subscription counts',
  Checks: 'What findings were judged by',
  Access: 'API keys, users and their roles',
  Account: 'Subscription and audit trail',
  Limits: 'What a client has to keep to',
} as const;

export type Tag = keyof typeof TAGS;
