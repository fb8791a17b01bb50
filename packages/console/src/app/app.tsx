import { CSPProvider } from '@base-ui/react/csp-provider';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { ToastProvider } from '../components/toasts.tsx';
import { SignInPage } from '../features/session/components/sign-in-page.tsx';
import { type Api, ApiContext } from '../lib/api/api.ts';
import type { Session } from '../lib/session.ts';
import { SessionContext } from '../lib/session-context.ts';
import type { ConsoleRouter } from './router.tsx';

interface AppProps {
  readonly api: Api;
  readonly baseUrl: string;
  readonly session: Session;
  readonly queryClient: QueryClient;
  readonly router: ConsoleRouter;
}

/** Shows the page for the current URL, or the sign-in page at the same URL if there is no API key. */
export function App({ api, baseUrl, session, queryClient, router }: AppProps) {
  const { apiKey } = useSyncExternalStore(session.subscribe, () => session.state);
  const signedIn = apiKey !== undefined;
  useEffect(() => {
    // The next key may not have access to the cached data.
    if (!signedIn) queryClient.clear();
  }, [signedIn, queryClient]);
  return (
    <CSPProvider disableStyleElements>
      <SessionContext value={{ session, baseUrl }}>
        <ApiContext value={api}>
          <QueryClientProvider client={queryClient}>
            <ToastProvider>{signedIn ? <RouterProvider router={router} /> : <SignInPage />}</ToastProvider>
          </QueryClientProvider>
        </ApiContext>
      </SessionContext>
    </CSPProvider>
  );
}
