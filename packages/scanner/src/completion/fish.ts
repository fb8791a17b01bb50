import type { CompletedCommand, CompletedOption, CompletedValue } from './completion-script.ts';

/** For fish 3 and later. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => commandLines(command));
  return `# fish completion for scanner\ncomplete -c scanner -f\n${lines.join('\n')}\n`;
}

function commandLines({
  name,
  description,
  words,
  takesFiles,
  options,
}: CompletedCommand): readonly string[] {
  const first = `complete -c scanner -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`;
  const within = `complete -c scanner -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  const choices = words.length === 0 ? [] : [`${within} -a ${quoted(words.join(' '))}`];
  const files = takesFiles ? [`${within} -F`] : [];
  return [first, ...choices, ...files, ...options.map((option) => `${within}${optionWords(option)}`)];
}

function optionWords({ long, short, description, value }: CompletedOption): string {
  const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
  return `${letter} -l ${long.slice(2)}${valueWords(value)} -d ${quoted(description)}`;
}

function valueWords(value: CompletedValue): string {
  if (typeof value !== 'string') return ` -x -a ${quoted(value.join(' '))}`;
  return { none: '', any: ' -x', file: ' -r -F', folder: " -x -a '(__fish_complete_directories)'" }[value];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
