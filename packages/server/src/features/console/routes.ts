import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { chooseCoding } from '../../http/request/choose-coding.ts';
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

/** The Cache-Control value for files with a content hash in the file name (RFC 8246). */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The Cache-Control value for all other files, which the browser must revalidate. */
const REVALIDATE = 'no-cache';

/** The base element in the built page. */
const BASE = '<base href="/">';

const NOT_BUILT = 'The console is not built. Run npm ci with development dependencies.';

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
        'cache-control': REVALIDATE,
      });
      return await reply.send(html);
    });
  }
  for (const { path, mediaType, isHashed, codings, read } of built.files) {
    app.get(path, async (request, reply) => {
      const coding = chooseCoding(request.headers['accept-encoding'], codings);
      reply.headers({
        'content-type': mediaType,
        'cache-control': isHashed ? IMMUTABLE : REVALIDATE,
        vary: 'Accept-Encoding',
        ...(coding !== 'identity' && { 'content-encoding': coding }),
      });
      return await reply.send(await read(coding));
    });
  }
}

/** The path with a trailing slash, escaped for HTML. It never contains quotes or `<` (URL Standard, path percent-encode set). */
function basePath(configuredUrl: string | undefined): string {
  if (configuredUrl === undefined) return '/';
  return `${new URL(configuredUrl).pathname.replace(/\/$/, '').replaceAll('&', '&amp;')}/`;
}

const require = createRequire(import.meta.url);

/** Content codings that the build provides, in order of preference. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

const EXTENSIONS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file that the console page loads. */
interface ConsoleFile {
  /** Relative to the base URL of the service. */
  readonly path: string;
  readonly mediaType: string;
  /** Whether the file name contains a hash of the content. */
  readonly isHashed: boolean;
  readonly codings: readonly Coding[];
  readonly read: (coding: Coding | 'identity') => Promise<Buffer>;
}

/** The output of `npm run build` in packages/console. */
interface BuiltConsole {
  /** The HTML page of the single-page application. Contains `<base href="/">`. */
  readonly html: string;
  /** The paths that return the page; `:id` matches one segment. */
  readonly pages: readonly string[];
  readonly files: readonly ConsoleFile[];
}

/** Finds the installed console package. Returns `undefined` if it is not built, and throws if it cannot be read. */
function findConsole(): BuiltConsole | undefined {
  const folder = path.join(path.dirname(require.resolve('@sluice/console/package.json')), 'dist');
  if (!existsSync(path.join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return {
    html: readFileSync(path.join(folder, 'index.html'), 'utf8'),
    pages: z.array(z.string()).parse(JSON.parse(readFileSync(path.join(folder, 'pages.json'), 'utf8'))),
    files: names.flatMap((name) => fileOf(folder, name, names)),
  };
}

function fileOf(folder: string, name: string, names: readonly string[]): ConsoleFile[] {
  const mediaType = MEDIA_TYPES[path.extname(name)];
  if (mediaType === undefined) return [];
  const contents = new Map<string, Promise<Buffer>>();
  const read = (coding: Coding | 'identity'): Promise<Buffer> => {
    const bytes =
      contents.get(coding) ??
      readFile(path.join(folder, coding === 'identity' ? name : `${name}${EXTENSIONS[coding]}`));
    contents.set(coding, bytes);
    return bytes;
  };
  return [
    {
      path: `/${name.split(path.sep).join('/')}`,
      mediaType,
      isHashed: name.startsWith(`assets${path.sep}`),
      codings: CODINGS.filter((coding) => names.includes(`${name}${EXTENSIONS[coding]}`)),
      read,
    },
  ];
}
