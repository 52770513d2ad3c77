import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listCodeBlocks } from './code-blocks.ts';
import { readPublishedPackages, readRepositoryFile, repositoryRoot } from './workspace.ts';

const runsAgent = /\brunAgent\(|\.answer\(/;

/** The first block of a page that runs an agent. */
function findFirstRun(path: string): string | undefined {
  const blocks = listCodeBlocks(readRepositoryFile(path));
  return blocks.find(({ language, code }) => language === 'ts' && runsAgent.test(code))?.code;
}

it('the first example of every page that runs an agent reads why the run ended', () => {
  const pages = [
    'README.md',
    ...readPublishedPackages().map(({ folder }) => `${folder}/README.md`),
    ...readdirSync(join(repositoryRoot, 'docs/adding')).map((name) => `docs/adding/${name}`),
  ];
  const runs = pages.map((path) => ({ path, code: findFirstRun(path) })).filter(({ code }) => code !== undefined);
  expect(runs.map(({ path }) => path)).toContain('packages/toolkit/README.md');
  expect(runs.filter(({ code }) => !code!.includes('stopReason')).map(({ path }) => path)).toEqual([]);
});
