import { listCodeBlocks } from './code-blocks.ts';
import type { CodeBlock } from './code-blocks.ts';
import type { Problem } from './problem.ts';
import { runProgram } from './run-program.ts';

const languages = new Set(['ts', 'typescript', 'js', 'javascript', 'mjs']);

/** Runs every TypeScript block of a README as a program, and returns those that failed, with the reason. */
export async function runReadmeBlocks(readme: {
  /** Path from the root of the repository, for messages. */
  readonly path: string;
  readonly text: string;
  /** The folder in which the block runs, and from which its imports are resolved. */
  readonly directory: string;
}): Promise<{ readonly ran: number; readonly problems: readonly Problem[] }> {
  let ran = 0;
  const problems: Problem[] = [];
  for (const block of listCodeBlocks(readme.text).filter(({ language }) => languages.has(language))) {
    const where = `${readme.path}:${block.line}`;
    const objection = objectTo(block);
    if (objection !== undefined) problems.push({ where, ...objection });
    if (objection !== undefined || block.note !== '') continue;
    ran += 1;
    const failure = await runProgram(block.code, readme.directory);
    if (failure !== undefined) {
      problems.push({
        where,
        what: `the example does not run: ${failure}`,
        remedy: 'Make the example and the code agree',
      });
    }
  }
  return { ran, problems };
}

function objectTo(block: CodeBlock): Omit<Problem, 'where'> | undefined {
  if (block.note !== '') {
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
