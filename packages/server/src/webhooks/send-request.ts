import { lookup } from 'node:dns/promises';
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { codeOf } from '../lib/errors.ts';
import { isPublicAddress } from './public-addresses.ts';
import { hostOf } from './webhook-url.ts';

/** Time limit of a request, from the resolution of the host name to the end of the response. */
export const REQUEST_SECONDS = 15;
/** The connection is closed after this many bytes of the response. */
const MAX_RESPONSE_BYTES = 2 ** 16;
/** The part of the response that is stored, in characters. */
const STORED_RESPONSE_LENGTH = 1000;

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowsPrivateAddresses: boolean;
  /** Aborts the request, which then throws the reason of the signal. */
  readonly signal: AbortSignal;
}

/** The status of a response, and the beginning of its body. */
export interface WebhookResponse {
  readonly status: number;
  readonly text: string;
}

/** A request without a response. The message is shown to users. */
export class RequestFailed extends Error {}

/**
 * Sends a request with POST. Redirects are not followed. Environment variables for proxies are ignored, because a proxy
 * would resolve the host name again. Throws RequestFailed.
 */
export async function sendRequest({
  url: text,
  headers,
  body,
  allowsPrivateAddresses,
  signal,
}: WebhookRequest): Promise<WebhookResponse> {
  const url = new URL(text);
  const isSecure = url.protocol === 'https:';
  // The setting may have changed since the webhook was created.
  if (!isSecure && !allowsPrivateAddresses) throw new RequestFailed('The URL does not start with https.');
  const timeout = AbortSignal.timeout(REQUEST_SECONDS * 1000);
  const ended = AbortSignal.any([signal, timeout]);
  // No agent of the process, which could keep connections or use a proxy.
  const agent = isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  try {
    const addresses = await untilAborted(resolveHost(hostOf(url), allowsPrivateAddresses), ended);
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent,
      lookup: lookupOf(addresses),
      signal: ended,
    });
    request.end(body);
    return await readResponse(request);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestFailed) throw error;
    throw new RequestFailed(
      timeout.aborted
        ? `There was no response within ${REQUEST_SECONDS} seconds.`
        : `The request failed: ${codeOf(error) ?? 'the connection was closed'}.`,
      { cause: error },
    );
  } finally {
    agent.destroy();
  }
}

interface Address {
  readonly address: string;
  readonly family: number;
}

/** Returns the addresses of a host. Throws RequestFailed unless all of them may be used. */
async function resolveHost(host: string, allowsPrivateAddresses: boolean): Promise<readonly Address[]> {
  const family = isIP(host);
  const addresses =
    family === 0
      ? await lookup(host, { all: true }).catch((error: unknown) => {
          throw new RequestFailed(
            `The host name could not be resolved: ${codeOf(error) ?? 'unknown error'}.`,
            {
              cause: error,
            },
          );
        })
      : [{ address: host, family }];
  if (!allowsPrivateAddresses && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new RequestFailed('The host has an address that is not public.');
  return addresses;
}

/** Returns the addresses that have been checked, so that the name is not resolved a second time. */
function lookupOf(addresses: readonly Address[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('the host has no address'), '');
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** Rejects when the signal fires. A lookup cannot be aborted; its result is then ignored. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Resolves when the response has ended, or is too long or too slow. The status is known by then. */
async function readResponse(request: ClientRequest): Promise<WebhookResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Also for errors after the response, which end the response as well.
    request.on('error', reject);
    request.on('response', resolve);
    // Without an error if the server switches protocols.
    request.on('close', () => reject(new Error('the connection was closed without a response')));
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) resolve();
    });
    response.on('end', resolve);
    response.on('close', resolve);
    // A response that is cut off or too slow has a status nevertheless.
    response.on('error', () => resolve());
  });
  request.destroy();
  const text = Buffer.concat(chunks).toString().replaceAll('\0', '\ufffd');
  return { status: response.statusCode ?? 0, text: text.slice(0, STORED_RESPONSE_LENGTH).toWellFormed() };
}
