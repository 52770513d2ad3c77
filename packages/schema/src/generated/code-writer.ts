/** Says something about a value, by code generated for it. */
export type Predicate = (value: unknown) => boolean;

/** Collects the functions of one generated predicate, and the things they refer to. */
export interface CodeWriter {
  /** A name by which generated code can use a value. */
  refer(value: unknown): string;
  /** Adds a function of one argument, `v`; answers its name. The body has to be whole statements. */
  addFunction(write: () => string): string;
  /** The predicate whose body is an expression over `v`; `undefined` where code may not be generated. */
  finish(expression: string): Predicate | undefined;
}

/** Creates a writer. Names and values of a schema go into code as JSON text or by reference, never as they are. */
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
