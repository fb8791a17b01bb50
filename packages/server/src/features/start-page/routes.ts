import type { FastifyInstance } from 'fastify';
import { loadStartPage } from './page.ts';

/** Where people see what was pushed; `meta.scans_url` of an accepted upload leads here. */
export const SCANS_PATH = '/scans';

/** A host and a port without anything that means something in HTML or in a shell (RFC 3986, section 3.2). */
const HOST = /^(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

export interface StartPageDependencies {
  readonly publicUrl: () => string;
  readonly configuredUrl: string | undefined;
}

/**
 * `GET /` and `GET /scans`: a page for people who follow a link here. It is the same for everybody: no key is
 * asked for, and nothing of a tenant is shown.
 */
export function registerStartPage(
  app: FastifyInstance,
  { publicUrl, configuredUrl }: StartPageDependencies,
): void {
  const page = loadStartPage();
  for (const url of ['/', SCANS_PATH]) {
    app.get(url, async (request, reply) => {
      // The address listened on may be 0.0.0.0; the one that has just led here is of more use to a reader.
      const address = configuredUrl ?? addressOf(request.headers.host) ?? publicUrl();
      reply.headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': page.policy,
      });
      return await reply.send(page.render(address));
    });
  }
}

function addressOf(host: string | undefined): string | undefined {
  return host !== undefined && HOST.test(host) ? `http://${host}` : undefined;
}
