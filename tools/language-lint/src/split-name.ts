/** Splits a name into words. `giveBack`, `GIVE_BACK`, and `give-back` become `give back`. */
export function splitName(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .toLowerCase();
}
