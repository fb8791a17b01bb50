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
