import { copyData, isRecord, type PlainData } from '../../copy-data.ts';
import type { HookName } from '@haft/core/hooks';
import { hookNames } from './plugin-hook-names.ts';
import type { Method } from '../definition/take-defined-tool.ts';

/** Snapshot of a plugin's prompt or resource. Each member was read once. */
export interface TakenPart {
  readonly data: Readonly<Record<string, PlainData>>;
  /** `prepare` of a prompt, or `read` of a resource. */
  readonly method: Method;
}

/** Snapshot of a plugin's hooks. Each member was read once. */
export interface TakenHooks {
  readonly data: Readonly<Record<string, PlainData>>;
  readonly methods: Readonly<Partial<Record<HookName, Method>>>;
}

/** The prompts, resources and hooks of a plugin. */
export interface TakenParts {
  readonly prompts: readonly TakenPart[];
  readonly resources: readonly TakenPart[];
  readonly hooks: TakenHooks | undefined;
}

/** Data members. They are validated when the parts are created. */
export const promptData = ['name', 'title', 'description', 'variables'] as const;
export const resourceData = ['uri', 'name', 'description', 'type'] as const;
export const hookData = ['tools', 'required', 'timeoutMs'] as const;
export const maxParts: Readonly<Record<'prompts' | 'resources', number>> = { prompts: 200, resources: 1_000 };

/**
 * Reads the prompts, resources and hooks that a plugin exports. Throws an error that says what is wrong, and whatever a
 * getter throws.
 */
export function takeParts({
  prompts,
  resources,
  hooks,
}: Readonly<Record<'prompts' | 'resources' | 'hooks', unknown>>): TakenParts {
  return {
    prompts: takeList('prompts', prompts, promptData, 'prepare'),
    resources: takeList('resources', resources, resourceData, 'read'),
    hooks: takeHooks(hooks),
  };
}

function takeList(
  what: 'prompts' | 'resources',
  given: unknown,
  members: readonly string[],
  methodName: string,
): readonly TakenPart[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw new Error(`its ${what} must be an array`);
  const count = given.length;
  if (count > maxParts[what]) throw new Error(`it has ${count} ${what}; at most ${maxParts[what]} are allowed`);
  return Array.from({ length: count }, (_, index) => {
    const place = `${what}[${index}]`;
    const part: unknown = given[index];
    if (!isRecord(part)) throw new Error(`${place}: it is not an object with ${members[0]} and ${methodName}`);
    const method = part[methodName];
    if (typeof method !== 'function') throw new Error(`${place}: its ${methodName} must be a function`);
    return { data: takeData(part, members, place), method: bind(method as Method, part) };
  });
}

function takeHooks(given: unknown): TakenHooks | undefined {
  if (given === undefined) return undefined;
  if (!isRecord(given)) throw new Error('its hooks must be an object such as { beforeCall() {} }');
  const stray = Object.keys(given).find((key) => ![...hookData, ...hookNames].includes(key as never));
  // Rejects unknown names, because a hook with a misspelt name would never run.
  if (stray !== undefined)
    throw new Error(
      `hooks.${stray.slice(0, 60)} is unknown (expected one of ${[...hookNames, ...hookData].join(', ')})`,
    );
  const methods: Partial<Record<HookName, Method>> = {};
  for (const name of hookNames) {
    const method = given[name];
    if (typeof method === 'function') methods[name] = bind(method as Method, given);
    else if (method !== undefined) throw new Error(`hooks.${name} must be a function`);
  }
  return { data: takeData(given, hookData, 'hooks'), methods };
}

function takeData(
  part: Readonly<Record<string, unknown>>,
  members: readonly string[],
  place: string,
): Readonly<Record<string, PlainData>> {
  const data: Record<string, PlainData> = {};
  for (const name of members) {
    const value = part[name];
    const copy = value === undefined ? undefined : copyData(value);
    if (value !== undefined && copy === undefined) throw new Error(`${place}: its ${name} is a ${typeof value}`);
    if (copy !== undefined) data[name] = copy;
  }
  return data;
}

function bind(method: Method, owner: object): Method {
  return (...parameters) => Reflect.apply(method, owner, parameters);
}
