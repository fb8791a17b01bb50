import { Pool, ProxyAgent } from 'undici';

const SCHEMES = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/**
 * The proxy that the environment names for this address, by the rules of other programs: `https_proxy` takes precedence over
 * `HTTPS_PROXY`; without either, `HTTP_PROXY` applies; a proxy without a scheme is `http://`; hosts in `NO_PROXY` are requested
 * directly. `undefined`: no proxy. If a variable is not the address of a proxy, throws the error that `invalid` makes from a
 * clause about it.
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
    // The text is not shown: it may hold a password.
    if (!URL.canParse(url) || !SCHEMES.has(new URL(url).protocol))
      throw invalid(`${name} is not the address of a proxy; give one such as http://host:3128`);
    return new URL(url);
  };
  const [ofHttp, ofHttps] = [proxy('HTTP_PROXY'), proxy('HTTPS_PROXY')];
  if (isDirect(text('NO_PROXY'), address)) return undefined;
  return address.protocol === 'https:' ? (ofHttps ?? ofHttp) : ofHttp;
}

/** Sends requests through the proxy: those with TLS through a tunnel. */
export function createProxyAgent(proxy: URL, options: Partial<ProxyAgent.Options> = {}): ProxyAgent {
  const { headersTimeout, bodyTimeout } = options;
  const silence = {
    ...(headersTimeout === undefined ? {} : { headersTimeout }),
    ...(bodyTimeout === undefined ? {} : { bodyTimeout }),
  };
  return new ProxyAgent({
    ...options,
    uri: proxy.href,
    // Many proxies tunnel only to the ports of TLS, and plain HTTP needs no tunnel.
    proxyTunnel: false,
    // The timeouts of the agent do not apply to the connection to the proxy.
    clientFactory: (origin, own) => new Pool(origin, { ...own, ...silence }),
  });
}

/** Whether an entry of NO_PROXY is `*`, the host or a domain above it, with the port where the entry has one. */
function isDirect(noProxy: string, { protocol, hostname, port }: URL): boolean {
  const ownPort = port === '' ? { 'http:': '80', 'https:': '443' }[protocol] : port;
  return noProxy.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return noProxy === '*';
    const { host = entry, port: itsPort } = /^(?<host>.+):(?<port>\d+)$/.exec(entry)?.groups ?? {};
    const domain = host.replace(/^\*?\./, '').toLowerCase();
    if (domain === '' || (itsPort !== undefined && itsPort !== ownPort)) return false;
    return hostname === domain || hostname.endsWith(`.${domain}`);
  });
}
