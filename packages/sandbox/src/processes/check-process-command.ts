import {
  abortSignalKind,
  functionKind,
  amountKind,
  checkOptions,
  checkText,
  oneOf,
  stringOrBytesKind,
  stringsKind,
} from '../check-given.ts';

const members = {
  args: stringsKind,
  stdin: stringOrBytesKind,
  shell: {
    expected: 'true, false or the name of a shell',
    fits: (value: unknown) => typeof value === 'boolean' || typeof value === 'string',
  },
  signal: abortSignalKind,
  onOutput: functionKind,
  timeoutMs: amountKind,
  killGraceMs: amountKind,
  maxOutputBytes: amountKind,
  streams: oneOf('combined', 'separate'),
  background: oneOf('kill', 'keep'),
  jail: {
    expected: 'the jail of a successful createJail()',
    fits: (value: unknown) =>
      typeof value === 'object' && value !== null && 'wrap' in value && typeof value.wrap === 'function',
  },
};

/** Further options of commands and managed processes. */
const others = ['command', 'cwd', 'env', 'limits', 'owner', 'spillDirectory'];

/**
 * Validates the options of a command before it is started.
 *
 * @throws TypeError naming the invalid option.
 */
export function checkCommand(given: unknown): void {
  const example = "{ command: 'ls', cwd: '/project' }";
  checkOptions(given, example, {});
  const { command, cwd } = given as Readonly<Record<string, unknown>>;
  checkText('command', command, 'ls');
  checkText('cwd', cwd, '/project');
  checkOptions(given, example, members, 'options', others);
}
