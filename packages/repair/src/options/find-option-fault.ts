import { nameOfType } from './name-of-type.ts';

type Members = Readonly<Record<string, unknown>>;

const repairNames = ['schema', 'root', 'stopped', 'limits', 'fallback', 'onDelta'] as const;
const limitNames = ['depth', 'size', 'repairs', 'backtracks', 'duplicateKeys', 'unsafeIntegers'] as const;
const stops = ['stop', 'length'] as const;
const roots = ['object', 'any'] as const;

/** Describes the first wrong option of repairing JSON. Called for every text, so it only looks at names and words. */
export function findRepairFault(options: object): string | undefined {
  const { root, stopped, limits } = options as Members;
  const fault = findStranger(options, repairNames, 'options') ?? findStopFault(stopped, 'options.stopped');
  if (fault !== undefined) return fault;
  if (root !== undefined && !roots.includes(root as 'any')) return notOneOf('options.root', roots, root);
  return typeof limits === 'object' && limits !== null ? findStranger(limits, limitNames, 'options.limits') : undefined;
}

/** Describes a wrong reason for which a text ended. */
export function findStopFault(stopped: unknown, path: string): string | undefined {
  if (stopped === undefined || stops.includes(stopped as 'stop')) return undefined;
  return `${notOneOf(path, stops, stopped)}. Pass "stop" if the model stopped by itself ("stop", "tool-calls", "end_turn"), and otherwise "length"`;
}

/** Describes the first option with an unknown name. */
export function findStranger(options: object, known: readonly string[], path: string): string | undefined {
  for (const name in options) {
    if (!known.includes(name) && (options as Members)[name] !== undefined)
      return `${path}.${name.slice(0, 60)} is not an option (expected one of ${known.join(', ')})`;
  }
  return undefined;
}

function notOneOf(path: string, known: readonly string[], value: unknown): string {
  const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : nameOfType(value);
  return `${path} is not valid (expected ${known.map((name) => `"${name}"`).join(' or ')}, got ${got})`;
}
