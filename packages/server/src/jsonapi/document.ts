import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export const MEDIA_TYPE = 'application/vnd.api+json';
export const API_PREFIX = '/api/v1';

/** `meta.version` of every document. */
export const API_VERSION = 'v1';

export type Links = Readonly<Record<string, string | null>>;

export interface Document {
  readonly data?: unknown;
  readonly errors?: readonly Readonly<Record<string, unknown>>[];
  readonly links?: Links;
  readonly meta: Readonly<Record<string, unknown>>;
}

/**
 * Sends a document as bytes, because Fastify adds a `charset` parameter to the Content-Type of strings, which the
 * JSON:API media type does not allow. The whole body is sent immediately, but the response stream does not end until
 * `end` resolves.
 */
export async function sendDocument(
  reply: FastifyReply,
  document: unknown,
  end?: Promise<void>,
): Promise<FastifyReply> {
  const bytes = Buffer.from(writeJson(document));
  reply.header('content-type', MEDIA_TYPE);
  if (end === undefined) return await reply.send(bytes);
  async function* bytesThenWait(): AsyncGenerator<Buffer> {
    yield bytes;
    await end;
  }
  reply.header('content-length', bytes.length);
  return await reply.send(Readable.from(bytesThenWait(), { objectMode: false }));
}

/** JSON that is written to a document verbatim, preserving duplicate keys, number formats and whitespace. */
export class VerbatimJson {
  readonly text: string;
  /** The placeholder that `JSON.stringify` writes. `writeJson` replaces it with the text. */
  readonly placeholder = randomUUID();

  /** `text` must be valid JSON. */
  constructor(text: string) {
    this.text = text;
  }

  /**
   * Called by `JSON.stringify`. Because `JSON.stringify` is synchronous, `written` always belongs to the current
   * `writeJson` call.
   */
  toJSON(): string {
    written.push(this);
    return this.placeholder;
  }
}

let written: VerbatimJson[] = [];

/** `JSON.stringify` for documents that may contain `VerbatimJson`. */
function writeJson(document: unknown): string {
  written = [];
  const json = JSON.stringify(document);
  return written.reduce(
    (text, { placeholder, text: verbatim }) => text.replace(`"${placeholder}"`, () => verbatim),
    json,
  );
}
