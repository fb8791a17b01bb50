/** The most similar known word; `undefined` if every known word differs in more than a third of its letters. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of known) {
    const distance = editDistance(word, each);
    if (distance < least && distance <= Math.max(word.length, each.length) / 3) {
      nearest = each;
      least = distance;
    }
  }
  return nearest;
}

/** The Levenshtein distance: letters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
