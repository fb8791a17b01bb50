/**
 * Replaces each `*` in the path of a missing value with the index of an array element, so that the path leads to the first
 * place in the record where the value is missing or null. Returns the path unchanged if there is no such place.
 */
export function resolveWildcards(path: readonly string[], record: unknown): readonly string[] {
  return path.includes('*') ? (findMissing(path, record) ?? path) : path;
}

function findMissing([name, ...rest]: readonly string[], value: unknown): readonly string[] | undefined {
  if (name === undefined || typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const isWildcard = Array.isArray(value) && name === '*';
  const children = isWildcard ? entries : [[name, new Map(entries).get(name)] as const];
  for (const [key, child] of children) {
    if (rest.length === 0 && (child === undefined || child === null)) return [key];
    const found = findMissing(rest, child);
    if (found !== undefined) return [key, ...found];
  }
  return undefined;
}
