/** A list with at least one element. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** Maps 32-bit integers one-to-one to scrambled 32-bit integers (the finalizer of MurmurHash3). */
export function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Returns a 32-bit hash of a sequence of integers. */
export function hashOf(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = mix(Math.imul(hash, 31) + part);
  }
  return hash;
}

/** Formats a 32-bit integer as eight hexadecimal digits. */
export function hex8(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** Selects the element at the index given by a 32-bit integer modulo the length of the list. */
export function elementFor<T>(list: NonEmpty<T>, value: number): T {
  return list[value % list.length] ?? list[0];
}

/** A small seeded random number generator (mulberry32). The same seed yields the same sequence on every platform. */
export class Random {
  #state: number;

  constructor(state: number) {
    this.#state = state | 0;
  }

  /** Returns a 32-bit integer. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  }

  /** Returns an integer from 0 to limit - 1. */
  below(limit: number): number {
    return this.next() % limit;
  }

  /** Returns a number from 0, inclusive, to 1, exclusive. */
  share(): number {
    return this.next() / 0x1_0000_0000;
  }

  /** Returns true with the given probability. */
  chance(share: number): boolean {
    return this.share() < share;
  }

  /** Returns an element of the list. */
  pick<T>(list: NonEmpty<T>): T {
    return elementFor(list, this.next());
  }

  /** Returns this many hexadecimal digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) {
      text += hex8(this.next());
    }
    return text.slice(0, digits);
  }

  /** Returns a version 4 UUID. */
  uuid(): string {
    return uuidOf(this.hex(32), 4);
  }
}

/** Formats 32 hexadecimal digits as a UUID of the given version (RFC 9562). */
export function uuidOf(digits: string, version: number): string {
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) % 4);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `${version}${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/** Returns an IPv4 address in `<firstOctet>.0.0.0/8`. */
export function ipv4(firstOctet: number, random: Random): string {
  return `${firstOctet}.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
}
