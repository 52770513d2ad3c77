import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from './engine/create-permission-engine.ts';
import { running } from './fixtures/create-request.ts';
import { root, said, useGround } from './fixtures/permission-ground.ts';

useGround();

const isLong = process.env['HAFT_TEST_LONG'] === '1';
/** Number of characters of the shorter line. */
const size = isLong ? 2_400 : 200;
const longValue = `x='${'a '.repeat(size / 10)}';`;

const engine = createPermissionEngine({
  mode: 'allow',
  rules: [
    { action: 'deny', command: ['npm publish *', 'terraform *'] },
    { action: 'allow', command: ['npm test', 'git log *'] },
  ],
});
const ask = (line: string): Promise<string> => said(engine.ask(running(line, { cwd: root })));
// The engine caches the last line, so a different line in between makes each line new.
const judge = async (line: string): Promise<void> => {
  await ask(line);
  await ask('true');
};
const repeat = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length));
/** Repeats a piece up to a length. The first piece may be longer than all others and does not count. */
const count = (piece: (index: number) => string, length: number): string => {
  const first = piece(0);
  let line = first;
  for (let index = 1; line.length < first.length + length; index += 1) line += piece(index);
  return line;
};

describe('the time to judge a line', () => {
  it.each([
    'sudo eval ',
    'sudo eval x;',
    'sudo let a',
    'sudo [ ',
    'sudo read -a x[ ',
    'uv run ',
    'npm exec ',
    'npx -c ',
    'find -exec ',
    'find . -exec cat {} ;',
    'xargs cat|',
    'find . | xargs cat|',
    'env x=1 ',
    // A second for each line, up to its limit.
    ...(isLong ? ['env -S '] : []),
    'ssh a ',
    'cp a ',
    'mv b ',
    'jq a ',
    'grep a ',
    'grep -r a ',
    'curl {a,b} ',
    '$(a)',
    '$(a) ',
    '`a` ',
    '$a ',
    '${a:',
    'a[',
    '((',
    '[[',
    'a=(b ',
    'cat <<E\n',
    '"\'',
    'bash -c \'eval "a"\';',
  ])('grows linearly with a line of %j', async (piece) => {
    expect(await growthOf((length) => repeat(piece, length), judge, size)).toBeLessThan(linearGrowth);
  });

  it.each<[string, (index: number) => string]>([
    ['files', (index) => `cat f${index};`],
    ['folders', (index) => `d${index}/f `],
    ['words behind a wrapper', (index) => (index === 0 ? 'sudo ' : `eval x${index} `)],
    ['lines that are evaluated', (index) => `eval x${index};`],
    ['variables that double each other', (index) => `x${index + 1}=$x${index}$x${index};`],
    ['variables that stand for each other', (index) => `let x${index}=x${index + 1};`],
    ['uses of a long value', (index) => (index === 0 ? longValue : '$x ')],
    ['uses of a long value behind wrappers', (index) => (index === 0 ? longValue : 'sudo $x;')],
  ])('grows linearly with the number of %s', async (_, piece) => {
    expect(await growthOf((length) => count(piece, length), judge, size)).toBeLessThan(linearGrowth);
  });
});

describe('values that refer to each other', () => {
  const doubling = count((index) => `x${index + 1}=$x${index}$x${index};`, 18_000);

  it('are resolved only up to a limit', async () => {
    expect(await ask(`x0=a;${doubling} echo "$x40"`)).toBe('deny: no-approver');
    expect(await ask(`x='${'a '.repeat(5_000)}'; ${'$x '.repeat(3_000)}`)).toBe('deny: no-approver');
  });

  it('are resolved as far as real scripts need', async () => {
    expect(await ask(`x='${'a '.repeat(500)}'; ${'echo "$x";'.repeat(100)}`)).toBe('allow');
    expect(await ask('a=.e; b=${a}n; c=${b}v; cat $c')).toBe('deny: protected');
    expect(await ask(`x0=.env;${count((index) => `x${index + 1}=$x${index};`, 200)} cat $x2`)).toBe('deny: protected');
  });

  it('do not hide protected files and denied commands elsewhere in the line', async () => {
    expect(await ask(`x0=a;${doubling} cat .env`)).toBe('deny: protected');
    expect(await ask(`x0=a;${doubling} rm -rf /`)).toBe('deny: protected');
    expect(await ask(`x0=a;${doubling} npm publish`)).toBe('deny: rule');
  });
});
