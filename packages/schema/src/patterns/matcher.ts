import { SchemaError } from '../schema-error.ts';
import { createPatternMachine } from './pattern-machine.ts';
import { measureGrowth } from './pattern-growth.ts';

/** A `pattern`, ready to be matched against texts of any length in bounded time. */
export interface Matcher {
  /** Whether the engine of the language takes time in proportion to the text, so that nothing has to be watched. */
  readonly isLinear: boolean;
  /**
   * Whether a text matches; `undefined` when finding out would take too long. `spend` hears of work beyond that of
   * looking at each character once, and stops it by answering false.
   */
  test(text: string, spend?: (steps: number) => boolean): boolean | undefined;
}

const compiled = new Map<string, Matcher>();
const mostCompiled = 1000;
/** Shorter texts are the engine's, when few of its ways can multiply. */
const short = 32;
const mostTries = 10_000_000;

/**
 * Compiles a `pattern` of a JSON Schema, once per text.
 * Unicode mode is tried first, as the specification asks; patterns that escape more than it allows (`\-`) get plain mode.
 * Throws `SCHEMA_PATTERN_INVALID` when neither mode takes it.
 */
export function compilePattern(pattern: string, schemaPath = '#'): Matcher {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const expression = tryCompile(pattern, 'u') ?? tryCompile(pattern, '');
  if (expression === undefined) {
    throw new SchemaError('SCHEMA_PATTERN_INVALID', `Not a regular expression: ${JSON.stringify(pattern)}`, schemaPath);
  }
  const matcher = createMatcher(expression);
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(pattern, matcher);
  return matcher;
}

function createMatcher(expression: RegExp): Matcher {
  const growth = measureGrowth(expression.source);
  if (growth === 'linear') return { isLinear: true, test: (text) => expression.test(text) };
  let machine: ReturnType<typeof createPatternMachine>;
  let isBuilt = false;
  return {
    isLinear: false,
    test(text, spend = () => true) {
      if (text.length <= short && growth <= 3) return expression.test(text);
      if (!isBuilt) machine = createPatternMachine(expression);
      isBuilt = true;
      if (machine !== undefined) return machine.test(text, spend);
      // Back references and lookbehinds are the engine's alone, and only where it cannot take long.
      const tries = text.length ** growth;
      return tries <= mostTries && spend(Math.ceil(tries)) ? expression.test(text) : undefined;
    },
  };
}

function tryCompile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
