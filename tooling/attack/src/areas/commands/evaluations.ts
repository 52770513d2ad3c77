import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { PermissionRule } from '@haft/permission';

import type { Attack } from '../../attack.ts';
import { hiddenLines, judgedLines } from './evaluation-lines.ts';
import { marks, marksUnasked } from './run-shell.ts';

const allowed: readonly PermissionRule[] = [
  {
    action: 'allow',
    command: [
      'printf *',
      'test *',
      'let *',
      'declare *',
      'typeset *',
      'read *',
      'unset *',
      'command *',
      'builtin *',
      'echo *',
      'compgen *',
      'wait *',
    ],
  },
];
/** The program that leaves the marker, denied by name. */
const denied: readonly PermissionRule[] = [{ action: 'deny', command: 'touch *' }];

/** Text that Bash evaluates again: arithmetic, subscripts, names and prompts. */
export const evaluations: readonly Attack[] = [
  attackOf('Text that Bash evaluates runs a command where everything is allowed', hiddenLines, []),
  attackOf('Text that Bash evaluates runs a command under a rule that allows the builtin', hiddenLines, allowed),
  attackOf(
    'A command that a rule denies runs inside text that Bash evaluates',
    [...hiddenLines, ...judgedLines],
    denied,
  ),
];

/** Tries every line in a directory of its own. Without protection each of them works. */
function attackOf(name: string, lines: readonly string[], rules: readonly PermissionRule[]): Attack {
  const directoryOf = (directory: string, index: number): string => {
    const own = join(directory, String(index));
    mkdirSync(own);
    return own;
  };
  return {
    name,
    needs: ['bash'],
    timeoutMs: 120_000,
    async run(ground) {
      const broken: string[] = [];
      for (const [index, line] of lines.entries())
        if (await marksUnasked(line, { ...ground, directory: directoryOf(ground.directory, index) }, rules))
          broken.push(line);
      return broken.length === 0 ? undefined : `ran ${broken.length} of ${lines.length} lines: ${broken.join(' ⏎ ')}`;
    },
    control: ({ directory }) =>
      Promise.resolve(lines.every((line, index) => marks(line, directoryOf(directory, index)))),
  };
}
