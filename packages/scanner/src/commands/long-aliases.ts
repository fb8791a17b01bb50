/** Other spellings that scripts written for scanners of this kind use. */
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

/** The words of a command line with the one spelling that the options have. */
export function withoutAliases(words: readonly string[]): readonly string[] {
  return words.map((word) => {
    const [flag = '', ...value] = word.split('=');
    const name = Object.hasOwn(ALIASES, flag) ? ALIASES[flag] : undefined;
    return name === undefined ? word : [name, ...value].join('=');
  });
}
