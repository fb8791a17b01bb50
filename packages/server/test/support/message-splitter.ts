/** A PostgreSQL protocol message. The first messages from a client have no type. */
export interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

const NO_TYPE = '';
const LENGTH_BYTES = 4;

/** Splits one direction of a connection into messages (PostgreSQL documentation, "Message Formats"). */
export class MessageSplitter {
  #buffered: Buffer = Buffer.alloc(0);
  #hasTypes: boolean;

  constructor(hasTypes: boolean) {
    this.#hasTypes = hasTypes;
  }

  push(bytes: Buffer): Message[] {
    this.#buffered = Buffer.concat([this.#buffered, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const typeBytes = this.#hasTypes ? 1 : 0;
      if (this.#buffered.length < typeBytes + LENGTH_BYTES) return messages;
      const length = typeBytes + this.#buffered.readInt32BE(typeBytes);
      if (this.#buffered.length < length) return messages;
      const message = this.#buffered.subarray(0, length);
      const type = this.#hasTypes ? message.toString('latin1', 0, 1) : NO_TYPE;
      messages.push({ type, bytes: message });
      this.#buffered = this.#buffered.subarray(length);
      // The startup message is the first message without a type that is not an encryption request.
      if (type === NO_TYPE && !isEncryptionRequest(message)) this.#hasTypes = true;
    }
  }
}

const ENCRYPTION_REQUESTS = new Set([80_877_103, 80_877_104]);

function isEncryptionRequest(message: Buffer): boolean {
  return ENCRYPTION_REQUESTS.has(message.readInt32BE(LENGTH_BYTES));
}

/** A message with a single text field, such as `Q` (query) and `f` (CopyFail). */
export function textMessage(type: string, text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(1 + LENGTH_BYTES);
  head.write(type);
  head.writeInt32BE(LENGTH_BYTES + body.length, 1);
  return Buffer.concat([head, body]);
}
