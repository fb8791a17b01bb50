/** Pages whose command blocks `run-pages.test.ts` executes, unless they are marked as not run. */
export const RUN_PAGES = [
  'README.md',
  'docs/getting-started.md',
  'docs/ingesting.md',
  'docs/api.md',
  'docs/settings.md',
  'docs/scanner.md',
  'docs/webhooks.md',
] as const;

/** Pages with many commands: the fast lane leaves them to the release lane. */
export const LONG_PAGES: readonly string[] = [
  'docs/getting-started.md',
  'docs/scanner.md',
  'docs/settings.md',
];
