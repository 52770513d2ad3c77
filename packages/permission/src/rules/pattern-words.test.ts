import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { running } from '../fixtures/create-request.ts';

const folder = mkdtempSync(join(tmpdir(), 'haft-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the outcome for a line in the mode `allow` with a rule that denies a command. */
async function judge(command: string, denied: string): Promise<string> {
  const engine = createPermissionEngine({
    mode: 'allow',
    rules: [{ action: 'deny', command: denied }],
    ask: () => ({ action: 'deny', reason: 'asked' }),
  });
  const decision = await engine.ask(running(command, { cwd: folder }));
  return decision.action === 'allow' ? 'allow' : decision.denial.source;
}

describe('a glob in a command that a rule denies', () => {
  it.each([
    ['git pus?', 'git push'],
    ['git -C x p*', 'git push'],
    ['git p* x', 'git push *'],
    ['git *', 'git push origin *'],
    ['git [a-p]ush', 'git push'],
    ['npm run {pub,x}*', 'npm run publish x1'],
    ['cat ${i:=/e}*', 'cat /etc'],
    ['sudo npm p*', 'npm publish *'],
    ['git p*h x', 'git *sh x'],
  ])('asks the user if a file name may turn the line into the denied command: %s', async (line, denied) => {
    expect(await judge(line, denied)).toBe('person');
  });

  it.each([
    ['git add *.ts', 'git push *'],
    ['cat *', 'cat .env'],
    ['cat src/*', 'cat src/.env'],
    ['npm test src/*.ts', 'npm publish *'],
    ["git 'p*'", 'git push'],
    ['cat a*', 'cat'],
  ])('does not ask the user if no file name can turn the line into the denied command: %s', async (line, denied) => {
    expect(await judge(line, denied)).toBe('allow');
  });
});

describe('a command that runs for each file that find or fd finds', () => {
  it.each([
    ["find . -exec npm publish ';'", 'npm publish', 'rule'],
    ['find . -execdir npm publish + x', 'npm publish *', 'rule'],
    ["sudo find -name a -ok npm publish ';' -print", 'npm publish', 'rule'],
    ["find . -exec npm {} ';'", 'npm publish', 'person'],
    ['find /etc -exec cat {} +', 'cat /etc/passwd', 'person'],
    ["find . -exec cp /{}.old x ';'", 'cp /etc.old x', 'person'],
    ["find . -exec {} ';'", 'npm publish', 'person'],
    ['fd -x npm', 'npm publish', 'person'],
    ['fd . --exec-batch cp {} x', 'cp a x', 'person'],
    ["find a -exec wc -l {} ';'", 'npm publish', 'allow'],
    ['fd -e ts x a -x wc -l', 'npm *', 'allow'],
  ])('is judged up to its end, and with any name in place of the braces: %s', async (line, denied, outcome) => {
    expect(await judge(line, denied)).toBe(outcome);
  });
});
