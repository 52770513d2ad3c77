import type { Compilable } from 'kysely';

/** SQL compiled once, and the order of its parameters. */
export interface PreparedQuery<Values, Row = unknown> {
  readonly sql: string;
  bind(values: Values): readonly unknown[];
  /** Carries the row type only; never set. */
  readonly row?: Row;
}

class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * Compiles a query with slots for its parameters. Compiling takes longer than SQLite's execution, so it happens once
 * per query, not per call.
 */
export function prepareQuery<Values extends object, Row>(
  build: (slot: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable,
): PreparedQuery<Values, Row> {
  const { sql, parameters } = build((name) => new Slot(name) as never).compile();
  const names = parameters.map((parameter) => {
    if (parameter instanceof Slot) return parameter.name as keyof Values;
    throw new TypeError(`prepared query: parameter ${String(parameter)} is not a placeholder: ${sql}`);
  });
  return { sql, bind: (values) => names.map((name) => values[name]) };
}
