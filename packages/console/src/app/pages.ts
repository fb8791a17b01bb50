/** The paths of all console pages, relative to the service's base path. `:id` matches one segment. */
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
