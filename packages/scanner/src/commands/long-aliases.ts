/** Alternative spellings of flags, as used in scripts for other scanners. */
const ALIASES: Readonly<Record<string, string>> = {
  '--check': '--checks',
  '--service': '--services',
  '--severities': '--severity',
  '--category': '--categories',
  '--excluded-check': '--excluded-checks',
  '--excluded-service': '--excluded-services',
  '--list-compliances': '--list-compliance',
  '--output-modes': '--output-formats',
};

/** Replaces aliases on the command line with the option names. */
export function withoutAliases(words: readonly string[]): readonly string[] {
  return words.map((word) => {
    const [flag = '', ...value] = word.split('=');
    const name = Object.hasOwn(ALIASES, flag) ? ALIASES[flag] : undefined;
    return name === undefined ? word : [name, ...value].join('=');
  });
}
