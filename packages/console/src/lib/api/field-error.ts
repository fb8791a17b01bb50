import { ApiError } from './api-error.ts';

/** What the service says is wrong with the value at this place of the request (RFC 6901), in its words. */
export function fieldError(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.errors.find(({ source }) => source?.pointer === pointer);
  // The detail begins with the pointer, which means nothing to somebody before a form.
  return found?.detail.replace(`${pointer}: `, '');
}
