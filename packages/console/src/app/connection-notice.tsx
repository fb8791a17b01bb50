import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { RequestError } from '../lib/api/api-error.ts';

/** Warns that the service is unavailable while requests are being retried. */
export function ConnectionNotice() {
  const queryClient = useQueryClient();
  const cache = queryClient.getQueryCache();
  const subscribe = useCallback((onChange: () => void) => cache.subscribe(onChange), [cache]);
  const reason = useSyncExternalStore(subscribe, () => {
    const waiting = cache
      .getAll()
      .map(({ state }) => (state.fetchStatus === 'fetching' ? state.fetchFailureReason : null));
    return waiting.find((error) => error instanceof RequestError && error.isTransient)?.message;
  });
  if (reason === undefined) return null;
  const retryNow = async () => {
    const waiting = {
      predicate: ({ state }: { state: { fetchFailureCount: number } }) => state.fetchFailureCount > 0,
    };
    await queryClient.cancelQueries(waiting);
    await queryClient.refetchQueries();
  };
  return (
    <Notice variant="warning" live actions={<Button onClick={() => void retryNow()}>Retry now</Button>}>
      {reason} Showing the most recent data and retrying automatically.
    </Notice>
  );
}
