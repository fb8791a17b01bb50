import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from './error-notice.tsx';

/** A page that could not be shown at all. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return <ErrorNotice error={error} retry={reset} />;
}
