import { MEDIA_TYPE } from './document.ts';
import { ApiError } from './errors.ts';

/**
 * JSON:API 1.1, section "Server Responsibilities": 406 when the client asks for the JSON:API media type and
 * every such instance carries a parameter that this API does not know (`profile` may always be there).
 */
export function assertAcceptable(accept: string | undefined): void {
  if (accept === undefined) return;
  const instances = accept
    // What a quoted string holds separates nothing.
    .replace(/"(?:[^"\\]|\\.?)*"?/g, '""')
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([type]) => type === MEDIA_TYPE);
  const usable = instances.some(([, ...parameters]) =>
    parameters.every((parameter) => parameter.startsWith('profile=') || parameter.startsWith('q=')),
  );
  if (instances.length === 0 || usable) return;
  throw new ApiError({
    status: 406,
    code: 'not_acceptable',
    detail: `Every ${MEDIA_TYPE} in the Accept header has parameters that this API does not support; ask for plain ${MEDIA_TYPE}`,
    source: { header: 'Accept' },
  });
}
