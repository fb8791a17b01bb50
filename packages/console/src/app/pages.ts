/** Every address of the console, below the path of the service; `:id` stands for one segment. */
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
