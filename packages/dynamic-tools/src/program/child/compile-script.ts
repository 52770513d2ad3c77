import { stripTypeScriptTypes } from 'node:module';
import { parse, type ExpressionStatement, type Program } from 'acorn';
import { firstLine, lineOf } from '../../generated/body/stripping-error.ts';

/** A compiled script with the same line numbers, or why it can't run. */
export type CompiledScript =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly message: string; readonly line?: number };

const noModules = "modules can't be imported: call the functions of `tools`";
const head = '(async()=>{';
const wrapper = 'async function script(){';

/**
 * Compiles a script into an expression that evaluates to an async function. Accepts JavaScript, or TypeScript with
 * erasable types. Returns the value of a final expression statement. Runs nothing.
 */
export function compileScript(given: string): CompiledScript {
  // Turns a shebang into a comment, because it will not be at the start of the compiled code.
  const text = given.replace(/^#!/, '//');
  const plain = read(text);
  if (plain.ok) return { ok: true, code: `${head}${returnLast(text, plain.program)}\n})` };
  const stripped = strip(text);
  // If both parsers fail, reports the error of the one that got further.
  if (typeof stripped !== 'string') return (stripped.line ?? 0) > (plain.line ?? 0) ? stripped : plain;
  const typed = read(stripped);
  return typed.ok ? { ok: true, code: `${head}${returnLast(stripped, typed.program)}\n})` } : plain;
}

type Failure = Extract<CompiledScript, { readonly ok: false }>;
type Reading = { readonly ok: true; readonly program: Program } | Failure;

function read(text: string): Reading {
  let imported: number | undefined;
  let before = '';
  try {
    const program = parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      locations: true,
      // Rejects `import()`, because its errors would be objects of another realm.
      onToken({ type: { label }, loc }) {
        // After a dot, `import` is a member name. After three dots, it is not.
        if (label === 'import' && before !== '.' && before !== '?.') imported ??= loc?.start.line ?? 1;
        before = label;
      },
    });
    return imported === undefined ? { ok: true, program } : { ok: false, message: noModules, line: imported };
  } catch (error) {
    const { message = '', loc } = error as { readonly message?: string; readonly loc?: { readonly line: number } };
    const isModule = message.includes("'import' and 'export'") || message.includes('import.meta');
    const said = isModule ? noModules : message.replace(/\s*\(\d+:\d+\)$/, '');
    return { ok: false, message: said, ...(loc && { line: loc.line }) };
  }
}

/** Replaces types with blanks, or returns why the text can't be parsed. */
function strip(text: string): string | Failure {
  try {
    return stripTypeScriptTypes(`${wrapper}${text}\n}`).slice(wrapper.length, -2);
  } catch (error) {
    return { ok: false, message: firstLine(error), ...lineOf(error, 0) };
  }
}

function returnLast(text: string, { body }: Program): string {
  const last = body.at(-1);
  if (last?.type !== 'ExpressionStatement') return text;
  const { start, end } = last satisfies ExpressionStatement;
  const statement = text.slice(start, end).replace(/;$/, '');
  // A directive has no value to return.
  return `${text.slice(0, start)}return (${statement}\n);${text.slice(end)}`;
}
