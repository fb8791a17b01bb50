import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../jsonapi/errors.ts';

/** The console page that shows uploaded scans. `meta.scans_url` in the response to an upload links to it. */
export const SCANS_PATH = '/scans';

/**
 * Content Security Policy Level 3: allows only resources from the service itself. Forbids inline scripts, inline
 * styles, `eval` and parsing strings as HTML (Trusted Types, section 4). `base-uri` permits the base element, which
 * contains the path prefix.
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

/** Files without a content hash in their names. The browser must revalidate them. */
const REVALIDATE = { immutable: false, maxAge: 0 };

/** The base element in the built page. */
const BASE = '<base href="/">';

const NOT_BUILT = 'The console is not built. Run npm ci with development dependencies.';

const require = createRequire(import.meta.url);

/**
 * Serves the console page and its files. These files contain no tenant data and require no authentication. The console
 * asks the user for an API key. `configuredUrl` may contain a path prefix added by a proxy.
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
  if (!built.html.includes(BASE)) throw new Error(`the console page does not contain ${BASE}`);
  const html = built.html.replace(BASE, () => `<base href="${basePath(configuredUrl)}">`);
  for (const page of built.pages) {
    app.get(page, async (_request, reply) => {
      reply.headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
      });
      return await reply.send(html);
    });
  }
  app.register(fastifyStatic, {
    root: path.join(built.folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  });
  for (const name of built.otherFiles)
    app.get(`/${name}`, async (_request, reply) => await reply.sendFile(name, built.folder, REVALIDATE));
}

/**
 * Returns the path with a trailing slash, escaped for HTML. It never contains quotes or `<` (URL Standard, path
 * percent-encode set).
 */
function basePath(configuredUrl: string | undefined): string {
  if (configuredUrl === undefined) return '/';
  return `${new URL(configuredUrl).pathname.replace(/\/$/, '').replaceAll('&', '&amp;')}/`;
}

/** The output of `npm run build` in packages/console. */
interface BuiltConsole {
  /** The HTML page of the single-page application. Contains `<base href="/">`. */
  readonly html: string;
  /** The paths that return the page; `:id` matches one segment. */
  readonly pages: readonly string[];
  /** The folder that contains the files. Files in `assets` have a content hash in their names (RFC 8246). */
  readonly folder: string;
  /** The names of the files in the folder itself that the page loads. */
  readonly otherFiles: readonly string[];
}

/** Finds the installed console package. Returns `undefined` if it is not built, and throws if it cannot be read. */
function findConsole(): BuiltConsole | undefined {
  const folder = path.join(path.dirname(require.resolve('@sluice/console/package.json')), 'dist');
  if (!existsSync(path.join(folder, 'index.html'))) return undefined;
  return {
    html: readFileSync(path.join(folder, 'index.html'), 'utf8'),
    pages: z.array(z.string()).parse(JSON.parse(readFileSync(path.join(folder, 'pages.json'), 'utf8'))),
    folder,
    otherFiles: readdirSync(folder).filter((name) => /\.(?:js|svg)$/.test(name)),
  };
}
