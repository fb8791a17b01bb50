import { ApiError, RequestError } from '../lib/api/api-error.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

const TITLES: Readonly<Record<number, string>> = {
  401: 'This key may not do this',
  402: 'This tenant has no active subscription',
  403: 'This key may not do this',
  404: 'There is nothing here',
  409: 'This contradicts what is there',
  410: 'This is not kept any more',
  413: 'This is too large',
  429: 'Too many requests in a short time',
  503: 'The service cannot do this at the moment',
  507: 'The service has no room left',
};

/** What went wrong, in the words of the service, and a way on. */
export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  return (
    <Notice
      variant="danger"
      live
      title={titleOf(error)}
      {...(retry !== undefined && { actions: <Button onClick={retry}>Try again</Button> })}
    >
      {error instanceof RequestError ? error.message : 'This is a fault of the console. Reload the page.'}
      {error instanceof ApiError && error.requestId !== undefined && error.status >= 500 && (
        <>
          {' '}
          In its log this request is <code>{error.requestId}</code>.
        </>
      )}
    </Notice>
  );
}

function titleOf(error: unknown): string {
  if (error instanceof ApiError) return TITLES[error.status] ?? 'The service has refused this';
  return error instanceof RequestError ? 'There is no answer' : 'Something went wrong';
}
