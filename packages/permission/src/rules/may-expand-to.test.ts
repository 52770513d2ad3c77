import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { running } from '../fixtures/create-request.ts';

/** What the mode `allow` does with a line while a rule denies a command. */
async function judge(command: string, denied: string): Promise<string> {
  const engine = createPermissionEngine({
    mode: 'allow',
    rules: [{ action: 'deny', command: denied }],
    ask: () => ({ action: 'deny', reason: 'asked' }),
  });
  const decision = await engine.ask(running(command, { cwd: '/' }));
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
  ])('may name a file that makes it this command, so that a person is asked: %s', async (line, denied) => {
    expect(await judge(line, denied)).toBe('person');
  });

  it.each([
    ['git add *.ts', 'git push *'],
    ['cat *', 'cat .env'],
    ['cat src/*', 'cat src/.env'],
    ['npm test src/*.ts', 'npm publish *'],
    ["git 'p*'", 'git push'],
    ['cat a*', 'cat'],
  ])('asks no person where no file can do so: %s', async (line, denied) => {
    expect(await judge(line, denied)).toBe('allow');
  });
});
