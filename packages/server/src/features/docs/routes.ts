import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { chooseCoding } from '../../http/choose-coding.ts';

const DOCS_PATH = '/docs';

/**
 * Content Security Policy Level 3: allows only resources from the service itself. `data:` allows the icons in the
 * library's style sheet. Forbids inline scripts, inline styles and `eval`.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const CACHE = 'public, max-age=86400';

/** `GET /docs`: the API reference, rendered in the browser from `openapi.json` without external resources. */
export function registerDocs(app: FastifyInstance): void {
  const template = readFileSync(new URL('./docs.html', import.meta.url), 'utf8');
  const page = template.replaceAll('{{version}}', LIBRARY_VERSION);
  app.get(DOCS_PATH, async (request, reply) => {
    // With a trailing slash, the relative URLs in the page would resolve to the wrong paths.
    if (request.url.split('?')[0]?.endsWith('/')) return await reply.redirect(`..${DOCS_PATH}`, 308);
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
    });
    return await reply.send(page);
  });
  for (const name of ASSET_NAMES) {
    let reading: Promise<Asset> | undefined;
    app.get(`${DOCS_PATH}/${name}`, async (request, reply) => {
      reading ??= readAsset(name);
      const { type, bytes, gzipped } = await reading;
      // These files are cacheable, because their URLs contain the library version.
      reply.headers({ 'content-type': type, 'cache-control': CACHE, vary: 'Accept-Encoding' });
      const coding = chooseCoding(request.headers['accept-encoding'], ['gzip']);
      if (coding === 'identity') return await reply.send(bytes);
      return await reply.header('content-encoding', coding).send(gzipped);
    });
  }
}

const require = createRequire(import.meta.url);
const compress = promisify(gzip);

/** Version of Swagger UI, which renders the reference. */
const LIBRARY_VERSION: string = z
  .object({ version: z.string() })
  .parse(require('swagger-ui-dist/package.json')).version;

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The files that the page loads, by name. */
const FILES = {
  'page.js': { path: pathOf('./page.js'), type: SCRIPT },
  'page.css': { path: pathOf('./page.css'), type: STYLE },
  'swagger-ui-bundle.js': { path: require.resolve('swagger-ui-dist/swagger-ui-bundle.js'), type: SCRIPT },
  'swagger-ui.css': { path: require.resolve('swagger-ui-dist/swagger-ui.css'), type: STYLE },
} as const;

type AssetName = keyof typeof FILES;

const ASSET_NAMES: readonly AssetName[] = ['page.js', 'page.css', 'swagger-ui-bundle.js', 'swagger-ui.css'];

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

/** Reads and compresses a file that the page loads. */
async function readAsset(name: AssetName): Promise<Asset> {
  const { path, type } = FILES[name];
  const bytes = await readFile(path);
  return { type, bytes, gzipped: await compress(bytes) };
}
