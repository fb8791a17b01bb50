import type { SortTerm } from '../../jsonapi/sort.ts';

/**
 * The condition for rows after a position. A separate bound on the first term lets an index scan start at the right row
 * even if a row comparison cannot. A row comparison cannot express different sort directions. With row-level security,
 * it cannot use the index if the comparison function of one of its types (such as an enum) is not leakproof.
 */
export function afterPosition(
  terms: readonly SortTerm[],
  position: readonly string[],
  bind: (value: unknown) => string,
): string {
  const bound = terms.map((term, at) => ({ ...term, value: `${bind(position[at])}::${term.type}` }));
  const [first] = bound;
  if (first === undefined) return 'true';
  const from = `${first.sql} ${first.descending ? '<=' : '>='} ${first.value}`;
  if (bound.every(({ descending }) => descending === first.descending)) {
    const columns = bound.map(({ sql }) => sql).join(', ');
    const values = bound.map(({ value }) => value).join(', ');
    return `${from} and (${columns}) ${first.descending ? '<' : '>'} (${values})`;
  }
  const cases = bound.map(({ sql, value, descending }, at) => {
    const equal = bound.slice(0, at).map((term) => `${term.sql} = ${term.value}`);
    return `(${[...equal, `${sql} ${descending ? '<' : '>'} ${value}`].join(' and ')})`;
  });
  return `${from} and (${cases.join(' or ')})`;
}
