import type { CompletedCommand, CompletedOption, CompletedValue } from './completion-script.ts';

/** For zsh with its completion system (`compinit`). */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, description }) => `    ${quoted(`${name}:${plain(description)}`)}`);
  return `#compdef scanner
_scanner() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map((command) => commandCase(command)).join('\n')}
  esac
}
if [ "$funcstack[1]" = "_scanner" ]; then _scanner "$@"; else compdef _scanner scanner; fi
`;
}

function commandCase({ name, words, takesFiles, options }: CompletedCommand): string {
  const specs = options.flatMap((option) => optionSpecs(option));
  if (takesFiles) specs.push(quoted('*:file:_files'));
  if (words.length > 0) specs.push(quoted(`1:word:(${words.join(' ')})`));
  return `    ${name})
      _arguments \\
        ${specs.join(' \\\n        ')}
      ;;`;
}

function optionSpecs({ long, short, description, value, isList }: CompletedOption): readonly string[] {
  const flags = short === undefined ? [long] : [long, short];
  const action = actionOf(value);
  // The values of a list flag continue up to the next flag.
  const taken = action === undefined ? '' : isList ? `:*-*:value:${action}` : `:value:${action}`;
  return flags.map((flag) => quoted(`*${flag}[${plain(description)}]${taken}`));
}

function actionOf(value: CompletedValue): string | undefined {
  if (typeof value !== 'string') return `(${value.join(' ')})`;
  return { none: undefined, any: ' ', file: '_files', folder: '_files -/' }[value];
}

/** Removes the special characters of `_arguments` and `_describe`. */
function plain(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, ' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
