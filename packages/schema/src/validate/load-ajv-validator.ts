import { indexOfChoices } from '../values/choice-index.ts';
import { formats } from '../patterns/formats.ts';
import { areUnique } from '../keywords/array-keywords.ts';
import { isMultipleOf } from '../keywords/number-keywords.ts';
import { compilePattern } from '../patterns/pattern-matcher.ts';
import type { SchemaDocument } from '../document/schema-document.ts';

/** Tests whether a value fits, by code generated for one schema. */
export type FastValidator = (value: unknown) => boolean;

interface Compiler {
  compile(schema: object): FastValidator;
  removeSchema(schema: object): unknown;
}

// An ajv instance keeps data of every schema it compiled, so it is replaced regularly.
const compilesPerInstance = 200;
const compilers = new Map<string, { readonly compiler: Compiler; uses: number }>();

/**
 * Compiles a schema with ajv, which is loaded only here. Returns `undefined` if that is impossible or unsafe (recursive
 * schemas that could take exponential time, environments without code generation): `checkValue` gives the same results,
 * more slowly.
 */
export async function loadFastValidator(document: SchemaDocument): Promise<FastValidator | undefined> {
  const { root } = document;
  if (!document.isPlain || document.tracksEvaluated || typeof root === 'boolean') return undefined;
  try {
    const compiler = await compilerFor(document);
    const validate = compiler.compile(root);
    compiler.removeSchema(root);
    return validate;
  } catch {
    return undefined;
  }
}

/** Only schemas with linear patterns are compiled, and these always return a result. */
function createRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const matcher = compilePattern(pattern);
  // ajv distinguishes patterns by their text.
  return { test: (text) => matcher.test(text) === true, toString: () => pattern };
}

async function compilerFor({ dialect, hasLongEnum }: SchemaDocument): Promise<Compiler> {
  const kind = hasLongEnum ? `${dialect} with long enums` : dialect;
  const known = compilers.get(kind);
  if (known !== undefined && known.uses < compilesPerInstance) {
    known.uses += 1;
    return known.compiler;
  }
  const Ajv = dialect === 'draft-07' ? (await import('ajv')).Ajv : (await import('ajv/dist/2020.js')).Ajv2020;
  const compiler = new Ajv({
    strict: false,
    // NaN and Infinity are not JSON numbers.
    strictNumbers: true,
    validateSchema: false,
    addUsedSchema: false,
    inlineRefs: false,
    logger: false,
    formats: Object.fromEntries(formats),
    code: { regExp: Object.assign(createRegExp, { code: 'compilePattern' }) },
  });
  compiler.removeKeyword('multipleOf');
  compiler.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (step: number, value: number) => isMultipleOf(value, step),
  });
  // ajv compares every pair of items, and the value with every listed value.
  compiler.removeKeyword('uniqueItems');
  compiler.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isWanted: boolean, items: readonly unknown[]) => !isWanted || areUnique(items),
  });
  if (hasLongEnum) {
    compiler.removeKeyword('enum');
    compiler.addKeyword({
      keyword: 'enum',
      schemaType: 'array',
      validate: (choices: readonly unknown[], value: unknown) => indexOfChoices(choices).has(value),
    });
  }
  compilers.set(kind, { compiler, uses: 1 });
  return compiler;
}
