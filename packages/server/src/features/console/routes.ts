import type { FastifyInstance } from 'fastify';
import { notFound } from '../../jsonapi/errors.ts';
import { chooseCoding } from '../../request/choose-coding.ts';
import { findConsole } from './built-console.ts';

/** Where people see what was pushed; `meta.scans_url` of an accepted upload leads here. */
export const SCANS_PATH = '/scans';

/**
 * Content Security Policy Level 3: what the service itself serves, and nothing else; no inline script, no inline style, no
 * `eval`, and no text that becomes HTML (Trusted Types, section 4). `base-uri` is for the path below which it is served.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** A year: another content has another name (RFC 8246). */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Asked again each time, and short. */
const FOR_NOW = 'no-cache';

/** The path to itself that the built page holds. */
const BASE = '<base href="/">';

const NOT_BUILT = 'The console was not built: run npm ci with its development dependencies';

/**
 * `GET /` and the other pages of the console, and the files that they ask for. They are the same for everybody: the page
 * asks for a key, and nothing of a tenant is in it. `configuredUrl` may have a path below which a proxy serves all of this.
 */
export function registerConsole(
  app: FastifyInstance,
  { configuredUrl }: { readonly configuredUrl: string | undefined },
): void {
  const built = findConsole();
  if (built === undefined) {
    app.log.warn(NOT_BUILT);
    for (const url of ['/', SCANS_PATH])
      app.get(url, async () => {
        throw notFound(NOT_BUILT);
      });
    return;
  }
  if (!built.html.includes(BASE)) throw new Error(`the page of the console has no ${BASE}`);
  const html = built.html.replace(BASE, () => `<base href="${basePath(configuredUrl)}">`);
  for (const page of built.pages) {
    app.get(page, async (_request, reply) => {
      reply.headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': FOR_NOW,
      });
      return await reply.send(html);
    });
  }
  for (const { path, mediaType, isHashed, codings, read } of built.files) {
    app.get(path, async (request, reply) => {
      const coding = chooseCoding(request.headers['accept-encoding'], codings);
      reply.headers({
        'content-type': mediaType,
        'cache-control': isHashed ? FOR_EVER : FOR_NOW,
        vary: 'Accept-Encoding',
        ...(coding !== 'identity' && { 'content-encoding': coding }),
      });
      return await reply.send(await read(coding));
    });
  }
}

/** With a slash at its end, as HTML. A path holds neither quotation marks nor `<` (URL Standard, path percent-encode set). */
function basePath(configuredUrl: string | undefined): string {
  if (configuredUrl === undefined) return '/';
  return `${new URL(configuredUrl).pathname.replace(/\/$/, '').replaceAll('&', '&amp;')}/`;
}
