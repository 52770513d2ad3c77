import { describe, expect, it } from 'vitest';

import { assertNoProblems, describeProblems } from './problem.ts';
import { findSilencedTests, findStrayWords, machinePaths, readRepositoryFiles } from './repository-words.ts';

const strayIn = (text: string, path = 'src/a.ts'): string =>
  describeProblems(findStrayWords({ path, text }, ['/srv/haft', '/srv']));
const silencedIn = (text: string): string => describeProblems(findSilencedTests({ path: 'src/a.test.ts', text }));

describe('the files of the repository', () => {
  const files = readRepositoryFiles();

  it('concern only the project: they contain no machine path, registry or note to self', () => {
    const paths = machinePaths();
    assertNoProblems(files.flatMap((file) => findStrayWords(file, paths)));
  });

  it('skip no test without a reason', () => {
    assertNoProblems(files.flatMap(findSilencedTests));
  });

  it('are rejected if they name a folder of this machine', () => {
    expect(strayIn(`a\nopen('/srv/haft/a.txt')`)).toContain('src/a.ts:2: it names the folder /srv/haft of one machine');
    expect(strayIn(`see /srv/shared`)).toContain('the folder /srv of one machine');
    expect(strayIn('packages/srv/haft and ./srv/haft')).toBe('');
    expect(machinePaths('/home/ada/haft')).toEqual(['/home/ada/haft', '/home/ada']);
    expect(machinePaths('/tmp/haft')).toEqual(['/tmp/haft']);
    expect(machinePaths('/haft')).toEqual([]);
  });

  it('are rejected if they name a registry or a tarball of one', () => {
    const scheme = ['htt', 'ps'].join('');
    expect(strayIn(`${scheme}://npm-registry.example.com/a`)).toContain(
      'it names the registry npm-registry.example.com',
    );
    expect(strayIn('resolution: {tarball: a.tgz}', 'pnpm-lock.yaml')).toContain('the lockfile holds tarball');
  });

  it('are rejected if they contain notes to self', () => {
    expect(strayIn('const a = 1; // TODO later')).toContain('Do it, or describe the limit');
    expect(strayIn(`const damaged = '{"a": 1 // TODO'; // the todo tool`)).toBe('');
  });

  it('are rejected if a test is singled out or disabled', () => {
    expect(silencedIn(`it.only('a', () => {});`)).toContain('src/a.test.ts:1: it runs one test only');
    expect(silencedIn(`describe.skip('a', () => {});`)).toContain('disabled by `.skip`');
    expect(silencedIn(`test.concurrent.todo('a');`)).toContain('disabled by `.todo`');
    expect(silencedIn(`it('a', (context) => context.skip());`)).toContain('skips itself without a reason');
    expect(silencedIn(`it.skipIf(flag)('a', () => {});`)).toContain('skipped when `flag`');
  });

  it('may skip a test with a reason', () => {
    expect(silencedIn(`it('a', (context) => context.skip('needs a network'));`)).toBe('');
    expect(silencedIn(`it.runIf(process.platform === 'linux')('a', () => {}); it.skipIf(isRoot)('b', () => {});`)).toBe(
      '',
    );
    expect(silencedIn(`queue.only(1);`)).toBe('');
  });
});
