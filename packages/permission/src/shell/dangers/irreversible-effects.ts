import type { ExpandedShell, RunCommand } from '../run/run-command.ts';

interface IrreversibleCommand {
  readonly programs: readonly string[];
  /** For each list, one of its words must be among the arguments. */
  readonly words?: readonly (readonly string[])[];
  /** Must match one of the arguments. */
  readonly option?: RegExp;
  /** The arguments must not contain any of these. */
  readonly unless?: readonly string[];
  readonly loss: string;
}

const forced = /^(?:--force|-[A-Za-z]*f[A-Za-z]*)$/;

/**
 * Commands that destroy work permanently or stop the machine. They are too common to always refuse, and too costly to
 * run without a question in the mode `allow`.
 */
const irreversibleCommands: readonly IrreversibleCommand[] = [
  {
    programs: ['shutdown', 'poweroff', 'halt', 'reboot', 'stop-computer', 'restart-computer'],
    loss: 'it stops the machine',
  },
  { programs: ['init', 'telinit'], option: /^[06]$/, loss: 'it stops the machine' },
  {
    programs: ['systemctl', 'loginctl'],
    words: [['poweroff', 'reboot', 'halt', 'kexec', 'suspend', 'hibernate', 'rescue', 'emergency', 'isolate']],
    loss: 'it stops the machine',
  },
  { programs: ['git'], words: [['reset'], ['--hard', '--merge', '--keep']], loss: 'git reset discards changes' },
  { programs: ['git'], words: [['clean']], option: forced, loss: 'git clean deletes files that exist nowhere else' },
  {
    programs: ['git'],
    words: [['checkout', 'switch']],
    option: /^(?:-f|--force|--discard-changes)$/,
    loss: 'git discards changes',
  },
  { programs: ['git'], words: [['checkout'], ['--', '.']], loss: 'git checkout discards changes to files' },
  {
    programs: ['git'],
    words: [['restore']],
    unless: ['--staged', '-S'],
    loss: 'git restore discards changes to files',
  },
  { programs: ['git'], words: [['restore'], ['--worktree', '-W']], loss: 'git restore discards changes to files' },
  { programs: ['git'], words: [['stash'], ['drop', 'clear']], loss: 'git stash discards stashed changes' },
  { programs: ['git'], words: [['branch'], ['-D']], loss: 'git branch -D drops commits that were not merged' },
  { programs: ['git'], words: [['worktree'], ['remove']], option: forced, loss: 'git discards changes' },
  {
    programs: ['git'],
    words: [['push']],
    option: /^(?:--force(?:-with-lease|-if-includes)?(?:=.*)?|-[A-Za-z]*f[A-Za-z]*|--mirror|--delete|-d|\+.+|:.+)$/,
    loss: 'git push overwrites a branch that others see',
  },
  { programs: ['git'], words: [['filter-branch', 'filter-repo']], loss: 'git rewrites history' },
  {
    programs: ['git'],
    words: [['reflog'], ['expire', 'delete']],
    loss: 'git deletes the reflog that leads back to commits',
  },
  { programs: ['git'], words: [['gc', 'prune']], option: /^--(?:prune|expire)=/, loss: 'git drops commits' },
  { programs: ['git'], words: [['update-ref'], ['-d']], loss: 'git drops commits' },
  { programs: ['docker', 'podman'], words: [['volume'], ['rm', 'prune']], loss: 'it deletes volumes with their data' },
  {
    programs: ['docker', 'podman'],
    words: [['system'], ['prune', 'reset']],
    loss: 'it deletes containers and their data',
  },
  { programs: ['kubectl', 'oc', 'helm'], words: [['delete', 'uninstall']], loss: 'it deletes resources of a cluster' },
  { programs: ['terraform', 'tofu', 'pulumi'], words: [['destroy']], loss: 'it destroys infrastructure' },
  { programs: ['dropdb', 'dropuser'], loss: 'it deletes a database' },
  { programs: ['crontab'], option: /^-[a-z]*r/, loss: 'it deletes all scheduled commands' },
  { programs: ['userdel', 'deluser', 'groupdel'], loss: 'it deletes an account' },
  { programs: ['kill', 'pkill', 'killall'], option: /^(?:-1|--?all)$/, loss: 'it ends every process' },
];

const byProgram: ReadonlyMap<string, readonly IrreversibleCommand[]> = new Map(
  [...new Set(irreversibleCommands.flatMap(({ programs }) => programs))].map((name) => [
    name,
    irreversibleCommands.filter(({ programs }) => programs.includes(name)),
  ]),
);

/** Describes what a command line would destroy or stop permanently, in words for the user. */
export function findIrreversibleEffects({ commands }: ExpandedShell): readonly string[] {
  return [...new Set(commands.flatMap(irreversibleEffectsOf))];
}

const noIrreversibleEffects: readonly string[] = [];

function irreversibleEffectsOf(run: RunCommand): readonly string[] {
  const commands = byProgram.get(run.program);
  return commands ? commands.filter((command) => isIt(run, command)).map(({ loss }) => loss) : noIrreversibleEffects;
}

function isIt({ args }: RunCommand, { words = [], option, unless = [] }: IrreversibleCommand): boolean {
  return (
    words.every((one) => args.some(({ text }) => one.includes(text))) &&
    (option === undefined || args.some(({ text }) => option.test(text))) &&
    !args.some(({ text }) => unless.includes(text))
  );
}
