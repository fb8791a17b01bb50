import type { CustomFetchOptions, ProtectedResourceRequestBody } from 'oauth4webapi';
import { fetch, Pool, ProxyAgent } from 'undici';

const SCHEMES = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** The `fetch` function of an OAuth client. */
export type Fetch = (
  url: string,
  options: CustomFetchOptions<string, ProtectedResourceRequestBody | undefined>,
) => Promise<Response>;

/**
 * Reads the proxy for an address from the environment, with the usual rules: `https_proxy` takes precedence over
 * `HTTPS_PROXY`; without either, `HTTP_PROXY` applies; a proxy without a scheme uses `http://`; hosts in `NO_PROXY` are
 * contacted directly. Returns `undefined` without a proxy. If a variable is not a proxy URL, throws the error that
 * `invalid` creates from a description of the problem.
 */
export function readProxy(
  env: NodeJS.ProcessEnv,
  address: URL,
  invalid: (clause: string) => Error,
): URL | undefined {
  const text = (name: string) => (env[name.toLowerCase()] ?? env[name] ?? '').trim();
  const proxy = (name: string) => {
    const value = text(name);
    if (value === '') return undefined;
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    // The value is not printed, because it can contain a password.
    if (!URL.canParse(url) || !SCHEMES.has(new URL(url).protocol))
      throw invalid(`${name} is not a valid proxy URL; use a URL such as http://host:3128`);
    return new URL(url);
  };
  const [ofHttp, ofHttps] = [proxy('HTTP_PROXY'), proxy('HTTPS_PROXY')];
  if (isDirect(text('NO_PROXY'), address)) return undefined;
  return address.protocol === 'https:' ? (ofHttps ?? ofHttp) : ofHttp;
}

/**
 * Whether NO_PROXY is `*` or has an entry for the host or a parent domain, with a matching port if the entry has one.
 */
function isDirect(noProxy: string, { protocol, hostname, port }: URL): boolean {
  const ownPort = port === '' ? { 'http:': '80', 'https:': '443' }[protocol] : port;
  return noProxy.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return noProxy === '*';
    const { host = entry, port: entryPort } = /^(?<host>.+):(?<port>\d+)$/.exec(entry)?.groups ?? {};
    const domain = host.replace(/^\*?\./, '').toLowerCase();
    if (domain === '' || (entryPort !== undefined && entryPort !== ownPort)) return false;
    return hostname === domain || hostname.endsWith(`.${domain}`);
  });
}

/** Creates an agent that sends requests through the proxy, and TLS requests through a tunnel. */
export function createProxyAgent(proxy: URL, options: Partial<ProxyAgent.Options> = {}): ProxyAgent {
  const { headersTimeout, bodyTimeout } = options;
  const timeouts = {
    ...(headersTimeout === undefined ? {} : { headersTimeout }),
    ...(bodyTimeout === undefined ? {} : { bodyTimeout }),
  };
  return new ProxyAgent({
    ...options,
    uri: proxy.href,
    // Many proxies allow tunnels only to TLS ports, and plain HTTP does not need a tunnel.
    proxyTunnel: false,
    // The agent's timeouts do not apply to the connection to the proxy.
    clientFactory: (origin, own) => new Pool(origin, { ...own, ...timeouts }),
  });
}

/** Creates a `fetch` function that uses the proxy. Request bodies are forms or empty. */
export function fetchThrough(proxy: URL): Fetch {
  const dispatcher = createProxyAgent(proxy);
  return (url, { method, headers, redirect, body, signal }) =>
    fetch(url, {
      ...{ method, headers, redirect, dispatcher },
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(signal && { signal }),
    });
}
