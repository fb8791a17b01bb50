import { MEDIA_TYPE } from './document.ts';
import { ApiError } from './errors.ts';

/**
 * Throws an ApiError (406) if the Accept header contains the JSON:API media type, but every instance of it has an
 * unsupported parameter (JSON:API 1.1, "Server Responsibilities"). `profile` is always allowed.
 */
export function assertAcceptable(accept: string | undefined): void {
  if (accept === undefined) return;
  const instances = accept
    // Ignore separators inside quoted strings.
    .replace(/"(?:[^"\\]|\\.?)*"?/g, '""')
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([type]) => type === MEDIA_TYPE);
  const isSupported = instances.some(([, ...parameters]) =>
    parameters.every((parameter) => parameter.startsWith('profile=') || parameter.startsWith('q=')),
  );
  if (instances.length === 0 || isSupported) return;
  throw new ApiError({
    status: 406,
    code: 'not_acceptable',
    detail: `Every ${MEDIA_TYPE} entry has unsupported parameters. Send ${MEDIA_TYPE} without parameters.`,
    source: { header: 'Accept' },
  });
}
