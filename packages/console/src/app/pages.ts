/** Paths of all console pages, relative to the base path of the service. `:id` matches one segment. */
export const PAGES = [
  '/',
  '/ingestions',
  '/ingestions/:id',
  '/scans',
  '/scans/:id',
  '/findings',
  '/providers',
  '/api-keys',
  '/subscription',
] as const;
