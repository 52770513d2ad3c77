import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { listCodeBlocks } from './code-blocks.ts';
import type { Problem } from './problem.ts';
import { repositoryRoot } from './workspace.ts';

/** A Markdown file with examples, and the package from which their imports are resolved. */
export interface ExamplePage {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** Folder of the package, from the root of the repository. */
  readonly folder: string;
}

/** Ignored by git; exists only while the compiler runs. */
const scratchName = '.readme-examples';
// If `HAFT_BUILT` is set, the declarations of the built packages are used, which compile faster than their sources.
const isBuilt = process.env['HAFT_BUILT'] !== undefined;

/**
 * Compiles every example that runs, with `strict`, all in one run of the compiler. Throws if the compiler itself does
 * not run.
 */
export function findExampleTypeErrors(pages: readonly ExamplePage[]): readonly Problem[] {
  const scratches = [...new Set(pages.map(({ folder }) => join(repositoryRoot, folder, scratchName)))];
  try {
    const origins = new Map<string, { readonly page: ExamplePage; readonly line: number }>();
    for (const page of pages) {
      const scratch = join(repositoryRoot, page.folder, scratchName);
      mkdirSync(scratch, { recursive: true });
      for (const block of listCodeBlocks(page.text)) {
        if (block.language !== 'ts' || block.note !== '') continue;
        const file = join(scratch, `${page.path.replaceAll(/\W/g, '-')}-${block.line}.ts`);
        writeFileSync(file, block.code);
        origins.set(file, { page, line: block.line });
      }
    }
    if (origins.size === 0) throw new Error('there is no example to compile');
    return compile([...origins.keys()]).map(({ file, row, message }) => {
      const origin = origins.get(file);
      const reason = message.replace(/\.$/, '');
      return origin === undefined
        ? {
            where: `${relative(repositoryRoot, file)}:${row}`,
            what: `an example imports it, and it does not compile (${reason})`,
            remedy: 'Fix it',
          }
        : {
            where: `${origin.page.path}:${origin.line + row}`,
            what: `the example does not compile under strict (${reason})`,
            remedy: 'Make the example and the types agree',
          };
    });
  } finally {
    for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true });
  }
}

interface CompilerError {
  readonly file: string;
  readonly row: number;
  readonly message: string;
}

function compile(files: readonly string[]): readonly CompilerError[] {
  const project = join(repositoryRoot, 'tooling', 'checks', scratchName, 'tsconfig.json');
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    erasableSyntaxOnly: true,
    lib: ['ES2024', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    ...(isBuilt ? { customConditions: [] } : {}),
  };
  mkdirSync(join(project, '..'), { recursive: true });
  writeFileSync(
    project,
    JSON.stringify({ extends: join(repositoryRoot, 'tsconfig.base.json'), compilerOptions, files }),
  );
  const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, '-p', project, '--pretty', 'false'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const errors = stdout.split('\n').flatMap((line): readonly CompilerError[] => {
    const [, file, row, message] = /^(.+?)\((\d+),\d+\): error (TS\d+: .+)$/.exec(line) ?? [];
    return file === undefined ? [] : [{ file: join(repositoryRoot, file), row: Number(row), message: message ?? '' }];
  });
  if (status !== 0 && errors.length === 0) throw new Error(`the compiler did not run: ${stdout}${stderr}`);
  return errors;
}
