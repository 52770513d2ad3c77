import type { ExamplePage } from './example-types.ts';
import type { Problem } from './problem.ts';
import { runPrograms } from './run-program.ts';
import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

/** An example in the TSDoc of a function: the lines after `@example`. */
export interface ApiExample {
  /** File and line of the tag. */
  readonly where: string;
  readonly path: string;
  readonly line: number;
  readonly lines: readonly string[];
}

/** Lists the examples in the documentation comments of a source file. */
export function listApiExamples(path: string, text: string): readonly ApiExample[] {
  const examples: ApiExample[] = [];
  let open: { readonly line: number; readonly lines: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined) examples.push({ where: `${path}:${open.line}`, path, ...open });
    open = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    const [, content] = /^ *\* ?(?!\/)(.*)$/.exec(line) ?? [];
    if (content === undefined || content.startsWith('@')) close();
    if (content === '@example') open = { line: index + 1, lines: [] };
    else if (content !== undefined) open?.lines.push(content);
  }
  close();
  return examples;
}

/** Lists the examples in the documentation comments of a package. */
export function listApiExamplesOf(workspacePackage: WorkspacePackage): readonly ApiExample[] {
  return listSourceFiles(workspacePackage)
    .filter(({ role }) => role === 'shipped')
    .flatMap(({ path, text }) => listApiExamples(`${workspacePackage.folder}/${path}`, text));
}

/** Turns `expression; // => value` into an assertion. */
function assertValues(line: string): string {
  return line.replace(/^(\s*)(.+); \/\/ => (.+)$/, '$1assert.deepEqual($2, $3);');
}

const assertion = "import assert from 'node:assert/strict';";

/** The examples of a package as pages, so that the compiler checks them like those of Markdown files. */
export function asExamplePages(folder: string, examples: readonly ApiExample[]): readonly ExamplePage[] {
  return examples.map(({ path, line, lines }) => {
    // The fence is on the line of the tag, so that errors have the right line.
    const [first = '', ...rest] = lines.map(assertValues);
    const code = [`${assertion} ${first}`, ...rest].join('\n');
    return { path, folder, text: `${'\n'.repeat(line - 1)}\`\`\`ts\n${code}\n\`\`\`\n` };
  });
}

/** The examples of a package, and the folder from which their imports are resolved. */
export interface PackageExamples {
  readonly examples: readonly ApiExample[];
  readonly directory: string;
}

/** Runs the examples of some packages, and returns those of each package that fail. */
export async function runApiExamples(packages: readonly PackageExamples[]): Promise<readonly (readonly Problem[])[]> {
  const programs = packages.map(({ examples, directory }) => ({ code: joinExamples(examples), directory }));
  const failures = await runPrograms(programs);
  return packages.map(({ examples, directory }, index) => {
    const problems: Problem[] = examples
      .filter(({ lines }) => !lines.some((line) => / => |\bassert\./.test(line)))
      .map(({ where }) => ({
        where,
        what: 'the example asserts nothing',
        remedy: 'End a line in "; // => value", with the value of the expression',
      }));
    const failure = failures[index];
    if (failure === undefined) return problems;
    const where = /AT ([\w./-]+:\d+)/.exec(failure)?.[1] ?? directory;
    return [...problems, { where, what: `the example does not run: ${failure}`, remedy: 'Make it and the code agree' }];
  });
}

/** Joins examples to one program: their imports first, then each in a block of its own. */
export function joinExamples(examples: readonly ApiExample[]): string {
  const imports = new Map<string, Set<string>>();
  const blocks = examples.map(({ where, lines }) => {
    const body: string[] = [];
    for (const line of lines) {
      const [, names, from] = /^import \{ (.+) \} from '(.+)';$/.exec(line) ?? [];
      if (names === undefined || from === undefined) body.push(assertValues(line));
      else for (const name of names.split(', ')) imports.set(from, (imports.get(from) ?? new Set()).add(name));
    }
    return `try {\n${body.join('\n')}\n} catch (error) { throw new Error('AT ${where}', { cause: error }); }`;
  });
  const heads = [...imports].map(([from, names]) => `import { ${[...names].join(', ')} } from '${from}';`);
  return [assertion, ...heads, ...blocks].join('\n');
}
