import type { CompletedCommand, CompletedOption } from './completion-script.ts';

/** For bash 3.2 and later. For a list flag, values are completed for every word up to the next flag. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# bash completion for scanner
_scanner() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flag='' at
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$current"))
    return
  fi
  for ((at = COMP_CWORD - 1; at > 1; at--)); do
    case "\${COMP_WORDS[at]}" in -*) flag="\${COMP_WORDS[at]}"; break ;; esac
  done
  case "$current" in -*) flag='' ;; esac
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => commandCase(command)).join('\n')}
  esac
}
complete -F _scanner scanner
`;
}

function commandCase({ name, words, takesFiles, options }: CompletedCommand): string {
  const flags = options.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short]));
  const values = options.flatMap((option) => valueCase(option));
  const files = takesFiles ? ' $(compgen -f -- "$current")' : '';
  return `    ${name})
      case "$flag" in
${values.join('\n')}
      esac
      COMPREPLY=($(compgen -W '${[...words, ...flags].join(' ')}' -- "$current")${files})
      ;;`;
}

function valueCase({ long, short, value, isList }: CompletedOption): readonly string[] {
  if (value === 'none') return [];
  const flags = short === undefined ? long : `${long}|${short}`;
  const generator = {
    any: ':',
    file: 'COMPREPLY=($(compgen -f -- "$current"))',
    folder: 'COMPREPLY=($(compgen -d -- "$current"))',
  };
  const words =
    typeof value === 'string'
      ? generator[value]
      : `COMPREPLY=($(compgen -W '${value.join(' ')}' -- "$current"))`;
  const reply = `${words}; return`;
  // Once a single-value flag has its value, completion returns to flag names.
  return [
    `        ${flags}) ${isList ? reply : `if [ "$at" -eq $((COMP_CWORD - 1)) ]; then ${reply}; fi`} ;;`,
  ];
}
