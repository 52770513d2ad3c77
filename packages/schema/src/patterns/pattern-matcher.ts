import { SchemaError } from '../schema-error.ts';
import { createPatternMachine } from './pattern-machine.ts';
import { measureGrowth } from './pattern-growth.ts';

/** A `pattern` that matches texts of any length in bounded time. */
export interface Matcher {
  /** Whether the JavaScript engine needs time linear in the text, so no budget is needed. */
  readonly isLinear: boolean;
  /**
   * Whether a text matches; `undefined` if that would take too long. `spend` is called with work beyond reading each
   * character once, and stops the match by returning false.
   */
  test(text: string, spend?: (steps: number) => boolean): boolean | undefined;
}

const compiled = new Map<string, Matcher>();
const maxCompiled = 1000;
/** Texts shorter than this are matched by the engine if backtracking is limited. */
const short = 32;
const maxTries = 10_000_000;

/**
 * Compiles a `pattern` of a JSON Schema. Cached by its text. Tries Unicode mode first, as the specification requires.
 * Patterns with other escapes (`\-`) use plain mode. Throws `SCHEMA_PATTERN_INVALID` if neither mode accepts it.
 */
export function compilePattern(pattern: string, schemaPath = '#'): Matcher {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const expression = tryCompile(pattern, 'u') ?? tryCompile(pattern, '');
  if (expression === undefined) {
    throw new SchemaError('SCHEMA_PATTERN_INVALID', `Not a regular expression: ${JSON.stringify(pattern)}`, schemaPath);
  }
  const matcher = createMatcher(expression);
  if (compiled.size >= maxCompiled) compiled.clear();
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
      // Only the engine supports back references and lookbehinds. They run only if they cannot take long.
      const tries = text.length ** growth;
      return tries <= maxTries && spend(Math.ceil(tries)) ? expression.test(text) : undefined;
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
