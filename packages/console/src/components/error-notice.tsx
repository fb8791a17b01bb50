import { ApiError, RequestError, Unreachable } from '../lib/api/api-error.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

const TITLES: Readonly<Record<number, string>> = {
  401: 'Permission denied',
  402: 'No active subscription',
  403: 'Permission denied',
  404: 'Not found',
  409: 'Conflict',
  410: 'No longer available',
  413: 'Request too large',
  429: 'Too many requests',
  503: 'Service unavailable',
  507: 'Storage full',
};

/** Shows an error with the message from the service and, optionally, a retry button. */
export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  return (
    <Notice
      variant="danger"
      live
      title={getTitle(error)}
      {...(retry !== undefined && { actions: <Button onClick={retry}>Try again</Button> })}
    >
      {error instanceof RequestError ? error.message : 'Reload the page to try again.'}
      {error instanceof ApiError && error.requestId !== undefined && error.status >= 500 && (
        <>
          {' '}
          Request ID: <code>{error.requestId}</code>
        </>
      )}
    </Notice>
  );
}

function getTitle(error: unknown): string {
  if (error instanceof ApiError) return TITLES[error.status] ?? 'Request failed';
  if (error instanceof Unreachable) return 'No connection';
  return error instanceof RequestError ? 'Unexpected response' : 'Something went wrong';
}
