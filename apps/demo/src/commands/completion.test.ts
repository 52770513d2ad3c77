import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

import { runCli } from '../testing/run-cli.ts';
import { writeCompletion } from './completion.ts';
import { commands } from './list.ts';

/** What Bash offers after the typed words. */
function complete(...words: readonly string[]): readonly string[] {
  const typed = ['haft', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${writeCompletion('bash', commands)}
COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _haft; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim().split('\n');
}

test('bash completes commands, and the options of the command', () => {
  expect(complete('di')).toEqual(['dispatch']);
  expect(complete('')).toEqual(expect.arrayContaining(['tour', 'chat', 'doctor', '--help']));
  expect(complete('dispatch', '-', '--js')).toEqual(['--json']);
  expect(complete('--yes', 'tools', '--plu')).toEqual(['--plugins']);
});

test('zsh uses the same function, and fish has a line for each command', () => {
  expect(writeCompletion('zsh', commands)).toContain('bashcompinit');
  const lines = writeCompletion('fish', commands).split('\n');
  for (const { name } of commands) expect(lines.some((line) => line.includes(` -a ${name} `))).toBe(true);
});

test('the command prints the script, and refuses an unknown shell in one line', async () => {
  expect((await runCli(['completion', 'bash'])).stdout).toContain('complete -o default -F _haft haft');
  const refused = await runCli(['completion', 'tcsh']);
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([
    2,
    '',
    'haft: completion needs a shell: bash, zsh, fish\n',
  ]);
});
