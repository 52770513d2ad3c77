import { stripTypeScriptTypes } from 'node:module';
import { parse, type Node } from 'acorn';
import { firstLine, lineOf } from './stripping-error.ts';

/** A module's text and the rules it must follow. */
export interface ModuleQuestion {
  readonly text: string;
  /** The offsets of the function around the body. */
  readonly start: number;
  readonly end: number;
  /** Number of lines before the first line of the body. */
  readonly linesBefore: number;
  /** The imports that are allowed. */
  readonly modules: readonly string[];
  /** The module with the tool's data, which is always imported. */
  readonly own: string;
}

/** A violation of the rules. `line` counts the lines of the body, starting at 1. */
export interface ModuleFault {
  readonly message: string;
  readonly line?: number;
}

type Branch = Node & Readonly<Record<string, unknown>>;

/**
 * Checks that a module consists only of allowed imports, one function with the given body, and the export. The body
 * therefore can't end its function early, continue outside of it, or import anything else. Runs no code.
 */
export function readModule(question: ModuleQuestion): ModuleFault | undefined {
  const { text, start, end, linesBefore } = question;
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length - linesBefore;
  let code: string;
  let program: { readonly body: readonly Node[] };
  try {
    code = stripTypeScriptTypes(text);
  } catch (error) {
    return { message: `syntax error: ${firstLine(error)}`, ...lineOf(error, linesBefore) };
  }
  if (code.length !== text.length) return { message: 'types must be ASCII' };
  try {
    program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch (error) {
    const { pos } = error as { readonly pos?: number };
    return { message: `syntax error: ${firstLine(error)}`, ...(pos !== undefined && { line: lineAt(pos) }) };
  }
  const outside = program.body.filter(({ type }) => type !== 'ImportDeclaration');
  const [body, exported] = outside;
  const isWhole =
    outside.length === 2 &&
    body?.type === 'FunctionDeclaration' &&
    body.start === start &&
    body.end === end &&
    exported?.type === 'ExportDefaultDeclaration';
  if (!isWhole) return { message: 'it closes its own function; pass only the statements inside' };
  return findForeignImport(program.body, question, lineAt) ?? findTypeImport(text, code, question, lineAt);
}

function findForeignImport(
  body: readonly Node[],
  { modules, own }: ModuleQuestion,
  lineAt: (offset: number) => number,
): ModuleFault | undefined {
  const waiting: unknown[] = [...body];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || next instanceof RegExp) continue;
    if (Array.isArray(next)) {
      for (const item of next as readonly unknown[]) waiting.push(item);
      continue;
    }
    const node = next as Branch;
    const place = typeof node.start === 'number' ? { line: lineAt(node.start) } : {};
    if (node.type === 'MetaProperty' && (node['meta'] as Branch)['name'] === 'import')
      return { message: 'import.meta is not available', ...place };
    if (node.type === 'ImportExpression' || node.type === 'ImportDeclaration') {
      const source = (node['source'] as Branch)['value'];
      const isOwn = node.type === 'ImportDeclaration' && source === own;
      if (typeof source !== 'string') return { message: 'import(…) requires a module name in quotes', ...place };
      if (!isOwn && !modules.includes(source))
        return { message: `it imports ${JSON.stringify(source)}; allowed modules: ${list(modules)}`, ...place };
    }
    for (const value of Object.values(node)) waiting.push(value);
  }
  return undefined;
}

/** Rejects types that name a file, because the type check would read that file. */
function findTypeImport(
  text: string,
  code: string,
  { start, end }: ModuleQuestion,
  lineAt: (offset: number) => number,
): ModuleFault | undefined {
  for (const { index } of text.slice(start, end).matchAll(/\b(?:import|require)\b/g)) {
    const at = start + index;
    if (code.slice(at, at + 6) !== text.slice(at, at + 6))
      return { message: 'types of other modules are not available', line: lineAt(at) };
  }
  return undefined;
}

function list(modules: readonly string[]): string {
  return modules.length === 0 ? 'nothing' : modules.join(', ');
}
