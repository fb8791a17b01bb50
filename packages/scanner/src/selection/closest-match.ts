/** The known word with the smallest edit distance; `undefined` if none is close enough. */
export function closestMatch(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, edits: editDistance(typed, candidate.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  const best = ranked[0];
  if (best !== undefined && best.edits <= Math.max(2, typed.length * 0.4)) return best.candidate;
  return typed.length < 4 ? undefined : known.find((candidate) => candidate.toLowerCase().includes(typed));
}

/** Returns `; did you mean '...'?`, or the alternative advice. */
export function suggestion(word: string, known: readonly string[], otherwise: string): string {
  const match = closestMatch(word, known);
  return match === undefined ? `; ${otherwise}` : `; did you mean '${match}'?`;
}

/** Insertions, deletions and substitutions between two words (Levenshtein), one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const substituted = (above[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
