import { readFileSync } from 'node:fs';
import { listCodeBlocks } from './code-blocks.ts';
import type { CodeBlock } from './code-blocks.ts';
import type { Problem } from './problem.ts';
import { runPrograms } from './run-program.ts';

const languages = new Set(['ts', 'typescript', 'js', 'javascript', 'mjs']);

/** A Markdown page with examples. */
export interface Readme {
  /** Path from the root of the repository, for messages. */
  readonly path: string;
  readonly text: string;
  /** The folder in which the blocks run, and from which their imports are resolved. */
  readonly directory: string;
}

/** The blocks of a page that have run, and those that failed, with the reason. */
export interface ReadmeRun {
  readonly ran: number;
  readonly problems: readonly Problem[];
}

/** Runs every TypeScript block of some pages as a program. Returns the outcome of each page. */
export async function runReadmeBlocks(readmes: readonly Readme[]): Promise<readonly ReadmeRun[]> {
  const pages = readmes.map(({ path, text, directory }) => {
    const blocks = listCodeBlocks(text).filter(({ language }) => languages.has(language));
    const judged = blocks.map((block) => ({ block, where: `${path}:${block.line}`, objection: objectTo(block) }));
    return { directory, judged, running: judged.filter((each) => each.objection === undefined && !each.block.note) };
  });
  const programs = pages.flatMap(({ directory, running }) =>
    running.map(({ block }) => ({ code: block.code, directory })),
  );
  const failures = [...(await runPrograms(programs))];
  return pages.map(({ judged, running }) => {
    const problems: Problem[] = judged.flatMap(({ where, objection }) =>
      objection === undefined ? [] : [{ where, ...objection }],
    );
    for (const { where } of running) {
      const failure = failures.shift();
      if (failure === undefined) continue;
      const what = `the example does not run: ${failure}`;
      problems.push({ where, what, remedy: 'Make the example and the code agree' });
    }
    return { ran: running.length, problems };
  });
}

function objectTo(block: CodeBlock): Omit<Problem, 'where'> | undefined {
  if (block.note !== '') {
    const [, source] = /^no-run: quoted from (\S+)$/.exec(block.note) ?? [];
    if (source !== undefined && !quotes(block.code, source))
      return { what: `the block is not in ${source}`, remedy: 'Quote the source as it is' };
    return /^no-run: \S+ \S+/.test(block.note)
      ? undefined
      : { what: `the block is marked "${block.note}"`, remedy: 'Write "```ts no-run: the reason", or let it run' };
  }
  if (block.language !== 'ts') {
    return { what: `the block is marked ${block.language}`, remedy: 'Mark it ```ts, so that it is executed' };
  }
  return /\bassert\b/.test(block.code)
    ? undefined
    : { what: 'the example asserts nothing', remedy: "End it in an assertion of 'node:assert/strict'" };
}

/** Returns whether a file of the repository contains some lines, regardless of their indentation. */
function quotes(code: string, path: string): boolean {
  const linesOf = (text: string): string => text.replaceAll(/^[ \t]+/gm, '').trim();
  return linesOf(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).includes(linesOf(code));
}
