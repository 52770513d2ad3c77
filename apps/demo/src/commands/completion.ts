import type { Command } from '../program/command.ts';
import { commonOptions } from '../program/parse-command-line.ts';
import { UsageError } from '../program/usage-error.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Prints a script that lets a shell complete commands and options. */
export const completion: Command = {
  name: 'completion',
  summary: 'print a completion script for bash, zsh or fish',
  operands: 'SHELL',
  maximumOperands: 1,
  options: {},
  notes: [
    'bash: eval "$(haft completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc; fish: haft completion fish | source',
  ],
  async run({ positionals, terminal }) {
    const shell = shells.find((one) => one === positionals[0]);
    if (shell === undefined) throw new UsageError(`completion needs a shell: ${shells.join(', ')}`);
    const { commands } = await import('./list.ts');
    terminal.write(writeCompletion(shell, commands));
    return 0;
  },
};

/** The script for a shell. */
export function writeCompletion(shell: Shell, commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const optionsOf = ({ options }: Pick<Command, 'options'>): readonly string[] =>
    Object.keys({ ...options, ...commonOptions }).map((name) => `--${name}`);
  if (shell === 'fish') {
    const every = Object.entries(commonOptions).map(([name, option]) => fishLine('', name, option.description));
    const own = commands.flatMap((command) => [
      `complete -c haft -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`,
      ...Object.entries(command.options).map(([name, option]) =>
        fishLine(`__fish_seen_subcommand_from ${command.name}`, name, option.description),
      ),
    ]);
    return [...every, ...own, ''].join('\n');
  }
  const cases = commands.map((command) => `    ${command.name}) words="${optionsOf(command).join(' ')}" ;;`);
  const script = [
    '_haft() {',
    '  local words current command word',
    '  current="${COMP_WORDS[COMP_CWORD]}"',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$word" in -*) ;; *) command="$word"; break ;; esac',
    '  done',
    '  case "$command" in',
    ...cases,
    `    *) words="${[...names, ...optionsOf({ options: {} })].join(' ')}" ;;`,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _haft haft',
    '',
  ];
  // zsh runs completions of bash.
  const head =
    shell === 'zsh' ? ['autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit'] : [];
  return [...head, ...script].join('\n');
}

function fishLine(condition: string, name: string, description: string): string {
  return `complete -c haft${condition === '' ? '' : ` -n '${condition}'`} -l ${name} -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
