import { ApiError } from './api-error.ts';

/** Returns the error message for the value at this JSON Pointer (RFC 6901) in the request. */
export function fieldError(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.errors.find(({ source }) => source?.pointer === pointer)?.detail;
}
