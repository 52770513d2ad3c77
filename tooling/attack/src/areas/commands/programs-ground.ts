import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDispatcher, createWorkspace, defineTool } from '@haft/core';
import { createPermissionEngine, type PermissionMode, type PermissionRule } from '@haft/permission';
import type { Attack, AttackGround } from '../../attack.ts';

/** Options for judging the lines of an attack. */
export interface LineAttack {
  /** Default: none. */
  readonly rules?: readonly PermissionRule[];
  /** Default: `allow`. */
  readonly mode?: PermissionMode;
  /** Whether a line must be denied. Otherwise, a question to a person is enough. */
  readonly expects?: 'denied' | 'asked';
}

/** An attack that consists of command lines. Each line must be denied or must cause a question to the user. */
export function attackWithLines(name: string, lines: readonly string[], options: LineAttack = {}): Attack {
  return {
    name,
    needs: ['git'],
    async run(ground) {
      const through = await linesThatRun(ground, lines, options);
      return through.length === 0 ? undefined : `${through.length} of ${lines.length} ran: ${through.join(' ‖ ')}`;
    },
  };
}

/** Sends command lines through a dispatcher with an engine, and returns those that ran without a question. */
export async function linesThatRun(
  { directory }: AttackGround,
  lines: readonly string[],
  { rules = [], mode = 'allow', expects = 'asked' }: LineAttack,
): Promise<readonly string[]> {
  prepare(directory);
  let wasAsked = false;
  const ran: string[] = [];
  const bash = defineTool({
    name: 'bash',
    description: 'Runs a command.',
    input: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    traits: { requires: ['process'] },
    execute: (input: unknown) => {
      ran.push((input as { readonly command: string }).command);
      return 'done';
    },
  });
  const permission = createPermissionEngine({
    rules,
    mode,
    ask: () => {
      wasAsked = true;
      return { action: 'deny' };
    },
  });
  const dispatcher = createDispatcher({
    registry: [bash],
    workspace: createWorkspace({ cwd: directory, permission }),
  });
  const through: string[] = [];
  for (const [index, command] of lines.entries()) {
    wasAsked = false;
    const before = ran.length;
    await dispatcher.dispatch({ id: `call_${index}`, name: 'bash', arguments: { command } });
    if (ran.length > before || (expects === 'denied' && wasAsked)) through.push(command);
  }
  return through;
}

const files = [
  '.env',
  '.gitignore',
  'package.json',
  'README.md',
  'a.txt',
  'b.txt',
  'list.txt',
  'data.csv',
  'src/app.ts',
  'src/app.test.ts',
  'scripts/run.sh',
  'sub/.env.local',
  'sub/c.txt',
  '.ssh/id_rsa',
  '.ssh/work',
];

/** A repository with secrets, links to them and other names of them. */
function prepare(directory: string): void {
  for (const path of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), 'x\n');
  }
  symlinkSync('.env', join(directory, 'link'));
  symlinkSync('../.env', join(directory, 'sub/linked'));
  linkSync(join(directory, '.env'), join(directory, 'hard.txt'));
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: directory });
  git('init', '--quiet');
  git('add', 'src', 'package.json', 'README.md');
}
