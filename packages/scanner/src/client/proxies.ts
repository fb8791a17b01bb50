import { PushError } from './push-error.ts';

const SCHEMES = new Set(['http:', 'https:', 'socks5:', 'socks:']);

export interface Proxies {
  /** Empty: none. */
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * The proxies that the environment names, as other programs read them: `http_proxy` before `HTTP_PROXY`, a proxy without
 * a scheme is `http://`, and `NO_PROXY` lists hosts that are asked directly. Throws a PushError `invalid_proxy`.
 */
export function readProxies(env: NodeJS.ProcessEnv): Proxies {
  const text = (name: string) => (env[name.toLowerCase()] ?? env[name] ?? '').trim();
  const proxy = (name: string) => {
    const value = text(name);
    if (value === '') return '';
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    // The text is not shown: it may hold a password.
    if (!URL.canParse(url) || !SCHEMES.has(new URL(url).protocol))
      throw new PushError(
        'invalid_proxy',
        `${name} is no address of a proxy; give one such as http://host:3128`,
      );
    return url;
  };
  return { httpProxy: proxy('HTTP_PROXY'), httpsProxy: proxy('HTTPS_PROXY'), noProxy: text('NO_PROXY') };
}
