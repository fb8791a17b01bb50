import { negotiate } from '@fastify/accept-negotiator';

/**
 * Selects the content coding (RFC 9110, section 8.4.1) with the highest quality in an Accept-Encoding header (section
 * 12.5.3), or `identity`. If several codings have the same quality, selects the first. A coding is never used unless
 * the header names it, because `*` does not guarantee that the client supports the coding.
 */
export function chooseCoding<Coding extends string>(
  acceptEncoding: string | undefined,
  codings: readonly Coding[],
): Coding | 'identity' {
  const named = (acceptEncoding ?? '').toLowerCase().replaceAll('x-gzip', 'gzip').replaceAll('*', 'any');
  return negotiate(named, [...codings, 'identity']) ?? 'identity';
}
