import { findNearestNames } from '../names/nearest-names.ts';
import { isRecord } from './is-record.ts';
import type { AnyOptionTable, OptionFault, OptionKind, OptionTable } from './option-kind.ts';
import { notValid } from './option-kinds.ts';
import { showName } from './show-option-value.ts';

/**
 * Creates the kind of an array whose items have one kind.
 *
 * @example
 * import { arrayOf, integerKind } from '@haft/core/options';
 * arrayOf(integerKind()).expected; // => 'an array, each item a whole number'
 */
export function arrayOf<Value>(
  item: OptionKind<Value>,
  expected: string = `an array, each item ${item.expected}`,
): OptionKind<readonly Value[]> {
  return {
    expected,
    findFault(value, path) {
      if (!Array.isArray(value)) return notValid(path, expected, value);
      return firstFault(value.length, (index) => item.findFault(value[index], `${path}[${index}]`));
    },
  };
}

/**
 * Creates the kind of an object with arbitrary keys and values of one kind.
 *
 * @example
 * import { integerKind, recordOf } from '@haft/core/options';
 * recordOf(integerKind()).findFault({ a: 1 }, 'counts'); // => undefined
 */
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

/**
 * Creates the kind of a value that matches one of several kinds. Reports faults inside objects and arrays in detail.
 *
 * @example
 * import { either, integerKind, numberKind } from '@haft/core/options';
 * either(integerKind(), numberKind()).expected; // => 'a whole number or a number'
 */
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

/**
 * Creates the kind of a value that matches two kinds. The second kind only checks values that the first accepts.
 *
 * @example
 * import { both, custom, integerKind } from '@haft/core/options';
 * both(integerKind(), custom('an even number', (value) => Number(value) % 2 === 0)).findFault(3, 'count') !== undefined; // => true
 */
export function both<Value>(first: OptionKind<Value>, second: OptionKind<Value>): OptionKind<Value> {
  const findFault: OptionKind<Value>['findFault'] = (value, path) =>
    first.findFault(value, path) ?? second.findFault(value, path);
  return { expected: first.expected, findFault };
}

/**
 * Creates the kind of an object with its own option table.
 *
 * @param example - an example of such an object.
 * @param others - `allowed` if the object may have additional members, which are not checked.
 * @example
 * import { integerKind, objectOf } from '@haft/core/options';
 * const limits = objectOf<{ readonly bytes?: number }>({ bytes: integerKind({ min: 1 }) }, '{ bytes: 1000 }');
 * limits.findFault({ bytes: 10 }, 'limits'); // => undefined
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

/** Finds the first option that is missing, of the wrong kind or unknown. */
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

/**
 * Names that other libraries use for an option, with the names that Haft uses. The first existing option is suggested.
 */
const foreignNames: Readonly<Record<string, readonly string[]>> = {
  abortSignal: ['signal'],
  allow: ['rules'],
  allowedTools: ['allow', 'include', 'rules'],
  cmd: ['command'],
  deny: ['rules'],
  dir: ['directory', 'cwd'],
  endpoint: ['url'],
  folder: ['directory', 'cwd'],
  instructions: ['systemPrompt'],
  maxIterations: ['maxToolIterations'],
  maxRounds: ['maxToolIterations'],
  maxSteps: ['maxToolIterations'],
  maxTokens: ['maxOutputTokens'],
  maxToolRounds: ['maxToolIterations'],
  maxTurns: ['maxToolIterations'],
  mcp: ['connections'],
  mcpServers: ['connections', 'servers'],
  name: ['tool'],
  onStepFinish: ['onEvent'],
  properties: ['schema'],
  recursionLimit: ['maxToolIterations'],
  servers: ['connections'],
  stopWhen: ['maxToolIterations'],
  system: ['systemPrompt'],
  timeout: ['timeoutMs', 'toolTimeoutMs'],
  tools: ['registry'],
  type: ['schema'],
  uri: ['url'],
  workdir: ['cwd'],
  workingDirectory: ['cwd'],
};

/** Similar names with opposite meanings. One is never suggested for the other. */
const opposites: Readonly<Record<string, string>> = { exclude: 'include', include: 'exclude' };

function describeUnknown(name: string, table: AnyOptionTable, prefix: string): OptionFault {
  const known = Object.keys(table);
  const foreign = Object.hasOwn(foreignNames, name) ? foreignNames[name] : undefined;
  const others = known.filter((each) => each !== opposites[name]);
  const nearest = foreign?.find((each) => known.includes(each)) ?? findNearestNames(name, others, 1)[0];
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
