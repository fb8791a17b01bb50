import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from './error-notice.tsx';

/** Replaces a page that failed to load or render. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return <ErrorNotice error={error} retry={reset} />;
}
