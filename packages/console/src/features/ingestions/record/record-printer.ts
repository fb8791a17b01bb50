const INDENT = '  ';

/** An object or array that is not closed yet. */
interface Frame {
  readonly isArray: boolean;
  /** Whether its path is a prefix of the target path. */
  readonly isOnPath: boolean;
  /** The offset of the member name, or of the value if there is no name. */
  readonly start: number;
  index: number;
  key: string | undefined;
  keyStart: number;
}

/**
 * The part of the text to highlight. `isExact` indicates whether this part is the target itself rather than an
 * ancestor.
 */
export interface Place {
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  readonly isExact: boolean;
}

/** Formats JSON token by token without changing the tokens, and locates the value at a path. */
export class RecordPrinter {
  /** The formatted text so far. */
  text = '';
  /** The target, or its closest existing ancestor. */
  place: Place | undefined;
  readonly #path: readonly string[];
  readonly #frames: Frame[] = [];
  #hasJustOpened = false;

  /** `path` contains the reference tokens of the target's JSON Pointer (RFC 6901). */
  constructor(path: readonly string[]) {
    this.#path = path;
  }

  get depth(): number {
    return this.#frames.length;
  }

  add(token: string): void {
    const frame = this.#frames.at(-1);
    if (token === '{' || token === '[') this.#open(token);
    else if (token === '}' || token === ']') this.#close(token);
    else if (token === ':') this.text += ': ';
    else if (token === ',') this.#separate(frame);
    else if (frame !== undefined && !frame.isArray && frame.key === undefined) this.#name(frame, token);
    else this.#scalar(token);
  }

  #open(token: string): void {
    const { start, isOnPath } = this.#begin();
    this.text += token;
    if (isOnPath) this.#setPlace(start);
    const isArray = token === '[';
    this.#frames.push({ isArray, isOnPath, start, index: 0, key: undefined, keyStart: 0 });
    this.#hasJustOpened = true;
  }

  #close(token: string): void {
    const frame = this.#frames.pop();
    if (!this.#hasJustOpened) this.#breakLine();
    this.#hasJustOpened = false;
    this.text += token;
    if (frame?.isOnPath && this.#frames.length === this.#path.length) this.#setPlace(frame.start);
  }

  #separate(frame: Frame | undefined): void {
    this.text += ',';
    if (frame === undefined) return;
    frame.index += 1;
    frame.key = undefined;
    this.#breakLine();
  }

  #name(frame: Frame, token: string): void {
    this.#startLine();
    frame.key = decodeName(token);
    frame.keyStart = this.text.length;
    this.text += token;
  }

  #scalar(token: string): void {
    const { start, isOnPath } = this.#begin();
    this.text += token;
    if (isOnPath) this.#setPlace(start);
  }

  /** Starts a value. Returns its offset and whether its path is a prefix of the target path. */
  #begin(): { readonly start: number; readonly isOnPath: boolean } {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return { start: this.text.length, isOnPath: true };
    if (frame.isArray) this.#startLine();
    const step = frame.isArray ? String(frame.index) : frame.key;
    const isOnPath = frame.isOnPath && this.#path[this.#frames.length - 1] === step;
    return { start: frame.isArray ? this.text.length : frame.keyStart, isOnPath };
  }

  /** Starts a new line before the first item. Before all other items, the comma starts the new line. */
  #startLine(): void {
    if (this.#hasJustOpened) this.#breakLine();
    this.#hasJustOpened = false;
  }

  #breakLine(): void {
    this.text += `\n${INDENT.repeat(this.#frames.length)}`;
  }

  /** Deeper values take precedence. For duplicate names, the last value wins, as in the service. */
  #setPlace(start: number): void {
    const depth = this.#frames.length;
    if (this.place !== undefined && this.place.depth > depth) return;
    this.place = { depth, start, end: this.text.length, isExact: depth === this.#path.length };
  }
}

function decodeName(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    // Truncated text has not been validated as JSON.
    return token;
  }
}
