/** A test of a value, as generated code. */
export type Predicate = (value: unknown) => boolean;

/** Collects the functions of one generated predicate, and the values that they refer to. */
export interface CodeWriter {
  /** Returns a name for a value in generated code. */
  refer(value: unknown): string;
  /** Adds a function of one argument, `v`, and returns its name. The body must consist of complete statements. */
  addFunction(write: () => string): string;
  /** Returns the predicate whose body is an expression over `v`; `undefined` if code generation is not allowed. */
  finish(expression: string): Predicate | undefined;
}

/** Creates a writer. Names and values of a schema enter the code as JSON text or by reference, never raw. */
export function createCodeWriter(): CodeWriter {
  const values: unknown[] = [];
  const functions: string[] = [];
  return {
    refer(value) {
      values.push(value);
      return `r[${values.length - 1}]`;
    },
    addFunction(write) {
      const name = `f${functions.length}`;
      const place = functions.push('') - 1;
      functions[place] = `function ${name}(v) { ${write()} }`;
      return name;
    },
    finish(expression) {
      // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- What is written is made of JSON texts and names counted here.
      const make = attempt(() => new Function('r', `${functions.join('\n')}\nreturn (v) => ${expression};`));
      return make?.(values) as Predicate | undefined;
    },
  };
}

function attempt<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
