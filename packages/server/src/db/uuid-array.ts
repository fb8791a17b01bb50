/** `pg_type.oid` of `uuid`. */
const UUID_OID = 2950;
const UUID_BYTES = 16;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/**
 * A `uuid[]` in the binary format of PostgreSQL (`array_send`), in which the driver sends buffers. Reading and writing the
 * text format takes longer. The ids have one character per byte.
 */
export function uuidArray(ids: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + ids.length * (LENGTH_BYTES + UUID_BYTES));
  let at = 0;
  // Number of dimensions, presence of nulls, type of the elements; length and lower bound of the dimension.
  for (const value of [1, 0, UUID_OID, ids.length, 1]) at = bytes.writeInt32BE(value, at);
  for (const id of ids) {
    at = bytes.writeInt32BE(UUID_BYTES, at);
    at += bytes.write(id, at, 'latin1');
  }
  return bytes;
}
