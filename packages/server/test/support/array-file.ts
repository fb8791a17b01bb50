/** A file with a JSON array, and the offsets of its elements. */
export interface ArrayFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly offsets: readonly number[];
}

/** An element of the file: bytes or text, or a value to be written as JSON. */
export type Element = Uint8Array | string | Readonly<Record<string, unknown>>;

/** Writes elements into an array, one per line, and returns their offsets. */
export function arrayFile(
  elements: readonly Element[],
  { start = '[\n  ', end = '\n]\n' }: { readonly start?: string; readonly end?: string } = {},
): ArrayFile {
  const pieces = [Buffer.from(start)];
  const offsets: number[] = [];
  let bytes = Buffer.byteLength(start);
  for (const element of elements) {
    const separator = offsets.length === 0 ? '' : ',\n  ';
    const text =
      typeof element === 'string' || element instanceof Uint8Array ? element : JSON.stringify(element);
    const piece = Buffer.concat([Buffer.from(separator), Buffer.from(text)]);
    offsets.push(bytes + separator.length);
    bytes += piece.length;
    pieces.push(piece);
  }
  return { bytes: Buffer.concat([...pieces, Buffer.from(end)]), offsets };
}
