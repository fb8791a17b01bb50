const INDENT = '  ';

/** An object or array that is open. */
interface Frame {
  readonly isArray: boolean;
  /** Whether the way to it is the beginning of the way to the place. */
  readonly isOnPath: boolean;
  /** Where its line begins in the text: that of its name, where it has one. */
  readonly start: number;
  index: number;
  key: string | undefined;
  keyStart: number;
}

/** The part of the text that is to be marked; `isThere`: it is the place itself, and not what it would be in. */
export interface Place {
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  readonly isExact: boolean;
}

/** Lays out JSON, token by token, so that each stays as it was written, and looks for a place in it meanwhile. */
export class RecordPrinter {
  /** What is laid out so far. */
  text = '';
  /** The place, or the nearest that is there around it. */
  place: Place | undefined;
  readonly #way: readonly string[];
  readonly #frames: Frame[] = [];
  #hasJustOpened = false;

  /** `way`: the names and indexes that lead to the place (RFC 6901). */
  constructor(way: readonly string[]) {
    this.#way = way;
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
    if (isOnPath) this.#mark(start);
    const isArray = token === '[';
    this.#frames.push({ isArray, isOnPath, start, index: 0, key: undefined, keyStart: 0 });
    this.#hasJustOpened = true;
  }

  #close(token: string): void {
    const frame = this.#frames.pop();
    if (!this.#hasJustOpened) this.#breakLine();
    this.#hasJustOpened = false;
    this.text += token;
    if (frame?.isOnPath && this.#frames.length === this.#way.length) this.#mark(frame.start);
  }

  #separate(frame: Frame | undefined): void {
    this.text += ',';
    if (frame === undefined) return;
    frame.index += 1;
    frame.key = undefined;
    this.#breakLine();
  }

  #name(frame: Frame, token: string): void {
    this.#enter();
    frame.key = decodeName(token);
    frame.keyStart = this.text.length;
    this.text += token;
  }

  #scalar(token: string): void {
    const { start, isOnPath } = this.#begin();
    this.text += token;
    if (isOnPath) this.#mark(start);
  }

  /** A value begins here. */
  #begin(): { readonly start: number; readonly isOnPath: boolean } {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return { start: this.text.length, isOnPath: true };
    if (frame.isArray) this.#enter();
    const step = frame.isArray ? String(frame.index) : frame.key;
    const isOnPath = frame.isOnPath && this.#way[this.#frames.length - 1] === step;
    return { start: frame.isArray ? this.text.length : frame.keyStart, isOnPath };
  }

  /** The first of an object or array begins a line; before the others its comma has done so. */
  #enter(): void {
    if (this.#hasJustOpened) this.#breakLine();
    this.#hasJustOpened = false;
  }

  #breakLine(): void {
    this.text += `\n${INDENT.repeat(this.#frames.length)}`;
  }

  /** What lies deeper is nearer; of a name that comes twice the last one counts, as for the service. */
  #mark(start: number): void {
    const depth = this.#frames.length;
    if (this.place !== undefined && this.place.depth > depth) return;
    this.place = { depth, start, end: this.text.length, isExact: depth === this.#way.length };
  }
}

function decodeName(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    // Of a text that is cut off nobody knows yet whether it is JSON.
    return token;
  }
}
