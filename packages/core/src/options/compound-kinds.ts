import { findNearestNames } from '../nearest-names.ts';
import { isRecord } from './is-record.ts';
import type { AnyOptionTable, OptionFault, OptionKind, OptionTable } from './option-kind.ts';
import { notValid } from './option-kinds.ts';
import { showName } from './show-value.ts';

/** Makes the kind of a list whose items are all of one kind. */
export function arrayOf<Value>(
  item: OptionKind<Value>,
  expected: string = `a list, each item ${item.expected}`,
): OptionKind<readonly Value[]> {
  return {
    expected,
    findFault(value, path) {
      if (!Array.isArray(value)) return notValid(path, expected, value);
      return firstFault(value.length, (index) => item.findFault(value[index], `${path}[${index}]`));
    },
  };
}

/** Makes the kind of an object whose members have names of any kind, and values of one. */
export function recordOf<Value>(
  member: OptionKind<Value>,
  expected: string = `an object, each member ${member.expected}`,
): OptionKind<Readonly<Record<string, Value>>> {
  return {
    expected,
    findFault(value, path) {
      if (!isRecord(value)) return notValid(path, expected, value);
      const names = Object.keys(value);
      return firstFault(names.length, (index) => {
        const name = names[index]!;
        return member.findFault(value[name], `${path}.${showName(name)}`);
      });
    },
  };
}

/** Makes the kind of a value that is of one of some kinds. What is wrong inside of an object or a list is told as such. */
export function either<Values extends readonly unknown[]>(
  ...kinds: { readonly [Index in keyof Values]: OptionKind<Values[Index]> }
): OptionKind<Values[number]> {
  const expected = kinds.map((kind) => kind.expected).join(' or ');
  return {
    expected,
    findFault(value, path) {
      const faults: OptionFault[] = [];
      for (const { findFault } of kinds) {
        const fault = findFault(value, path);
        if (fault === undefined) return undefined;
        faults.push(fault);
      }
      return faults.find((fault) => fault.path !== path) ?? notValid(path, expected, value);
    },
  };
}

/** Makes the kind of a value that is of two kinds at once. The second one judges only what the first one accepts. */
export function both<Value>(first: OptionKind<Value>, second: OptionKind<Value>): OptionKind<Value> {
  const findFault: OptionKind<Value>['findFault'] = (value, path) =>
    first.findFault(value, path) ?? second.findFault(value, path);
  return { expected: first.expected, findFault };
}

/**
 * Makes the kind of an object with options of its own.
 *
 * @param example - such an object, as a program writes it.
 * @param others - `allowed` for an object that may have members of its own, which are not looked at.
 */
export function objectOf<Options extends object>(
  table: OptionTable<Options>,
  example: string,
  others: 'refused' | 'allowed' = 'refused',
): OptionKind<Options> {
  const expected = `an object such as ${example}`;
  return {
    expected,
    findFault: (value, path) =>
      isRecord(value) ? findTableFault(value, table, `${path}.`, others) : notValid(path, expected, value),
  };
}

/** Finds the first option that is missing, of another kind than its table says, or not in the table at all. */
export function findTableFault(
  given: object,
  table: AnyOptionTable,
  prefix = '',
  others: 'refused' | 'allowed' = 'refused',
): OptionFault | undefined {
  const options = given as Readonly<Record<string, unknown>>;
  const isStray = (name: string): boolean => options[name] !== undefined && !Object.hasOwn(table, name);
  const unknown = others === 'refused' ? Object.keys(options).find(isStray) : undefined;
  if (unknown !== undefined) return describeUnknown(unknown, table, prefix);
  for (const [name, { expected, findFault, isRequired }] of Object.entries(table)) {
    const value = options[name];
    const path = `${prefix}${name}`;
    if (value === undefined && isRequired) return { path, problem: `is missing (expected ${expected})` };
    const fault = value === undefined ? undefined : findFault(value, path);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function describeUnknown(name: string, table: AnyOptionTable, prefix: string): OptionFault {
  const known = Object.keys(table);
  const [nearest] = findNearestNames(name, known, 1);
  const meant = nearest === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${nearest}?`;
  return { path: `${prefix}${showName(name)}`, problem: `is not an option (${meant})` };
}

function firstFault(count: number, findFault: (index: number) => OptionFault | undefined): OptionFault | undefined {
  for (let index = 0; index < count; index += 1) {
    const fault = findFault(index);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
