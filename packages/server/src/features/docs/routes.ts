import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { chooseCoding } from '../../http/request/choose-coding.ts';
import { ASSET_NAMES, type Asset, LIBRARY_VERSION, readAsset } from './assets.ts';

export const DOCS_PATH = '/docs';

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
