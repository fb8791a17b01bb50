/** A list with at least one element, so that picking from it always gives one. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** Mixes a 32-bit number; one to one, so different numbers stay different (the finalizer of MurmurHash3). */
export function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A 32-bit hash of some whole numbers, in their order. */
export function hashOf(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = mix(Math.imul(hash, 31) + part);
  }
  return hash;
}

/** Eight hexadecimal digits of a 32-bit number. */
export function hex8(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** The element of a list that a 32-bit number stands for. */
export function elementFor<T>(list: NonEmpty<T>, value: number): T {
  return list[value % list.length] ?? list[0];
}

/** A small seeded source of numbers (mulberry32): the same state gives the same row on every platform. */
export class Random {
  #state: number;

  constructor(state: number) {
    this.#state = state | 0;
  }

  /** The next whole number of 32 bits. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  }

  /** A whole number from 0 to limit - 1. */
  below(limit: number): number {
    return this.next() % limit;
  }

  /** A number from 0 to just under 1. */
  share(): number {
    return this.next() / 0x1_0000_0000;
  }

  /** True in the given share of all cases; never at 0, always at 1. */
  chance(share: number): boolean {
    return this.share() < share;
  }

  /** One element of a list. */
  pick<T>(list: NonEmpty<T>): T {
    return elementFor(list, this.next());
  }

  /** As many hexadecimal digits as asked for. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) {
      text += hex8(this.next());
    }
    return text.slice(0, digits);
  }

  /** Text in the form of a version 4 UUID. */
  uuid(): string {
    return uuidOf(this.hex(32), 4);
  }
}

/** Thirty-two hexadecimal digits in the form of a UUID of a version (RFC 9562). */
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

/** An IPv4 address of a network of class A. */
export function ipv4(network: number, random: Random): string {
  return `${network}.${random.below(256)}.${random.below(256)}.${random.below(256)}`;
}
