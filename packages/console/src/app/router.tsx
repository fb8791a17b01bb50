import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { PageError } from '../components/page-error.tsx';
import { PageLoading } from '../components/page-loading.tsx';
import type { Api } from '../lib/api/api.ts';
import { NotFound } from './not-found.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';
import { Shell } from './shell.tsx';

export interface RouterContext {
  readonly api: Api;
  readonly queryClient: QueryClient;
}

/** Query parameters by name. Each page reads the parameters that it supports. */
type Search = Readonly<Record<string, string | undefined>>;

const textSearch = (search: Search & SearchSchemaInput): Search => search;

const root = createRootRouteWithContext<RouterContext>()({ component: Shell, notFoundComponent: NotFound });

const page = <Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, validateSearch: textSearch, component });

const overview = page(
  '/',
  lazyRouteComponent(() => import('../features/overview/components/overview-page.tsx'), 'OverviewPage'),
);
const ingestions = page(
  '/ingestions',
  lazyRouteComponent(() => import('../features/ingestions/components/ingestions-page.tsx'), 'IngestionsPage'),
);
const ingestion = page(
  '/ingestions/$id',
  lazyRouteComponent(() => import('../features/ingestions/components/ingestion-page.tsx'), 'IngestionPage'),
);
const scans = page(
  '/scans',
  lazyRouteComponent(() => import('../features/scans/components/scans-page.tsx'), 'ScansPage'),
);
const scan = page(
  '/scans/$id',
  lazyRouteComponent(() => import('../features/scans/components/scan-page.tsx'), 'ScanPage'),
);
const findings = page(
  '/findings',
  lazyRouteComponent(() => import('../features/findings/components/findings-page.tsx'), 'FindingsPage'),
);
const providers = page(
  '/providers',
  lazyRouteComponent(() => import('../features/providers/components/providers-page.tsx'), 'ProvidersPage'),
);
const apiKeys = page(
  '/api-keys',
  lazyRouteComponent(() => import('../features/api-keys/components/api-keys-page.tsx'), 'ApiKeysPage'),
);
const subscription = page(
  '/subscription',
  lazyRouteComponent(
    () => import('../features/subscription/components/subscription-page.tsx'),
    'SubscriptionPage',
  ),
);

const routeTree = root.addChildren([
  overview,
  ingestions,
  ingestion,
  scans,
  scan,
  findings,
  providers,
  apiKeys,
  subscription,
]);

/** `basepath` is the service's path prefix. */
export function createConsoleRouter(context: RouterContext, basepath: string) {
  return createRouter({
    routeTree,
    context,
    basepath,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
  });
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
}
