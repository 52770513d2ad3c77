import { SchemaError } from './schema-error.ts';

const compiled = new Map<string, RegExp>();
const mostCompiled = 1000;

/**
 * Compiles a `pattern` of a JSON Schema, once per text.
 * Unicode mode is tried first, as the specification asks; patterns that escape more than it allows (`\-`) get plain mode.
 * Throws `SCHEMA_PATTERN_INVALID` when neither mode takes it.
 */
export function compilePattern(pattern: string, schemaPath = '#'): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const expression = tryCompile(pattern, 'u') ?? tryCompile(pattern, '');
  if (expression === undefined) {
    throw new SchemaError('SCHEMA_PATTERN_INVALID', `Not a regular expression: ${JSON.stringify(pattern)}`, schemaPath);
  }
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(pattern, expression);
  return expression;
}

function tryCompile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
