import type { Compilable } from 'kysely';

/** SQL that was built once, and the order in which it wants its values. */
export interface PreparedQuery<Values, Row = unknown> {
  readonly sql: string;
  bind(values: Values): readonly unknown[];
  /** Says of what type the rows are, and holds nothing. */
  readonly row?: Row;
}

class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * Builds a query with slots where its values will stand. The builder takes longer than SQLite does, so it is asked once
 * a query and not once a call.
 */
export function prepareQuery<Values extends object, Row>(
  build: (slot: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable,
): PreparedQuery<Values, Row> {
  const { sql, parameters } = build((name) => new Slot(name) as never).compile();
  const names = parameters.map((parameter) => {
    if (parameter instanceof Slot) return parameter.name as keyof Values;
    throw new TypeError(`a prepared query takes its values by slots, not ${String(parameter)} itself: ${sql}`);
  });
  return { sql, bind: (values) => names.map((name) => values[name]) };
}
