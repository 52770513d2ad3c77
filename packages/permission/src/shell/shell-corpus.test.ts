import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import type { RuleEngine } from '../options/permission-options.ts';
import { running } from '../fixtures/create-request.ts';
import { corpusRules, shellCorpus, type Outcome } from '../fixtures/shell-corpus.ts';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-corpus-')));
  for (const path of [
    '.env',
    '.env.example',
    'a.txt',
    'b.txt',
    'a b.txt',
    'script.sh',
    'sub/.env.local',
    'sub/c.txt',
    'clean/d.txt',
    '.ssh/id_rsa',
    '.git/config',
    '.git/hooks/x',
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  }
  symlinkSync('.env', join(folder, 'link'));
  symlinkSync('.', join(folder, 'dirlink'));
  linkSync(join(folder, '.env'), join(folder, 'hard.txt'));
  linkSync(join(folder, 'a.txt'), join(folder, 'safe.txt'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let asked = false;
const createEngine = (mode: 'ask' | 'allow'): RuleEngine =>
  createPermissionEngine({
    mode,
    rules: corpusRules,
    ask: () => {
      asked = true;
      return { action: 'deny' };
    },
  });
const engines = { ask: createEngine('ask'), allow: createEngine('allow') };

async function judge(command: string, mode: 'ask' | 'allow'): Promise<Outcome> {
  asked = false;
  const decision = await engines[mode].ask(running(command, { cwd: folder }));
  if (asked) return 'ask';
  if (decision.action === 'allow') return 'allow';
  return decision.denial.source === 'protected' ? 'never' : 'deny';
}

describe.each(Object.entries(shellCorpus))('%s', (_, entries) => {
  it.each(entries)('%j: %s in the mode ask, %s in the mode allow', async (command, ask, allow) => {
    expect({ ask: await judge(command, 'ask'), allow: await judge(command, 'allow') }).toEqual({ ask, allow });
  });
});

describe('the corpus', () => {
  it('is large and has no duplicate lines', () => {
    const commands = Object.values(shellCorpus).flatMap((entries) => entries.map(([command]) => command));
    expect(commands.length).toBeGreaterThanOrEqual(300);
    expect(new Set(commands).size).toBe(commands.length);
  });
});
