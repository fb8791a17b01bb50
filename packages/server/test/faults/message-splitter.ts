/** A message of PostgreSQL's protocol; the first ones of a client have no type. */
export interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

const NO_TYPE = '';
const LENGTH_BYTES = 4;

/** Splits one direction of a connection into messages (PostgreSQL, "Message Formats"). */
export class MessageSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #hasTypes: boolean;

  constructor(hasTypes: boolean) {
    this.#hasTypes = hasTypes;
  }

  push(bytes: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const typeBytes = this.#hasTypes ? 1 : 0;
      if (this.#rest.length < typeBytes + LENGTH_BYTES) return messages;
      const length = typeBytes + this.#rest.readInt32BE(typeBytes);
      if (this.#rest.length < length) return messages;
      const message = this.#rest.subarray(0, length);
      const type = this.#hasTypes ? message.toString('latin1', 0, 1) : NO_TYPE;
      messages.push({ type, bytes: message });
      this.#rest = this.#rest.subarray(length);
      // The start-up message is the first without a type that is not a request for encryption.
      if (type === NO_TYPE && !isRequestForEncryption(message)) this.#hasTypes = true;
    }
  }
}

const REQUESTS_FOR_ENCRYPTION = new Set([80_877_103, 80_877_104]);

function isRequestForEncryption(message: Buffer): boolean {
  return REQUESTS_FOR_ENCRYPTION.has(message.readInt32BE(LENGTH_BYTES));
}

/** A message of one text, as `Q` (query) and `f` (CopyFail) are. */
export function textMessage(type: string, text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(1 + LENGTH_BYTES);
  head.write(type);
  head.writeInt32BE(LENGTH_BYTES + body.length, 1);
  return Buffer.concat([head, body]);
}
