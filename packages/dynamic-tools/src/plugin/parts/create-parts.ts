import type { Prompt, PromptVariable, Resource } from '@haft/core';
import type { PlainData } from '../../copy-data.ts';
import { answerInTime, hookTimes, type HookSet } from '@haft/core/hooks';
import { hookNames } from './plugin-hook-names.ts';
import type { Method } from '../definition/take-defined-tool.ts';
import { readMessages } from './read-prompt-messages.ts';
import type { TakenPart, TakenParts } from './take-parts.ts';

/** Hooks of a plugin, before an owner is assigned. */
export type PluginHookSet = Omit<HookSet, 'owner'>;

/** The prompts, resources and hooks of a plugin, ready to use. */
export interface PluginParts {
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly hooks: PluginHookSet | undefined;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const maxTextBytes = 16 * 1024;
const maxUri = 2_000;
const maxVariables = 100;
const answerMs = 30_000;

/** Creates prompts, resources and hooks from untrusted definitions. Throws an error that says what is wrong. */
export function createParts(taken: TakenParts): PluginParts {
  const prompts = taken.prompts.map((part, index) => at(`prompts[${index}]`, () => createPrompt(part)));
  const resources = taken.resources.map((part, index) => at(`resources[${index}]`, () => createResource(part)));
  refuseTwins(
    'prompt',
    prompts.map(({ name }) => name),
  );
  refuseTwins(
    'resource',
    resources.map(({ uri }) => uri),
  );
  return { prompts, resources, hooks: taken.hooks && createHooks(taken.hooks) };
}

function createPrompt({ data, method }: TakenPart): Prompt {
  const { name, title, description, variables = [] } = data;
  if (typeof name !== 'string' || !namePattern.test(name))
    throw new Error('its name must be letters, digits, ".", "_" or "-", such as "summarize"');
  if (!Array.isArray(variables) || variables.length > maxVariables)
    throw new Error(
      `its variables must be an array of at most ${maxVariables} such as { name: "text", required: true }`,
    );
  const given: readonly unknown[] = variables;
  return {
    name,
    ...texts({ title, description }),
    variables: given.map(readVariable),
    prepare: async (values, resources) =>
      readMessages(await answerInTime(`the prompt ${name}`, answerMs, (signal) => method(values, resources, signal))),
  };
}

function readVariable(given: unknown): PromptVariable {
  const { name, description, required = false } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || name === '' || name.length > 200)
    throw new Error('each variable needs a name, such as { name: "text", required: true }');
  if (typeof required !== 'boolean') throw new Error(`its variable ${name}: required must be true or false`);
  return { name, ...texts({ description: description as PlainData | undefined }), required };
}

function createResource({ data, method }: TakenPart): Resource {
  const { uri, name, description, type = '' } = data;
  if (typeof uri !== 'string' || uri.length > maxUri || !URL.canParse(uri))
    throw new Error('its uri must be one such as "notes://today"');
  if (typeof name !== 'string' || name === '' || name.length > 200) throw new Error('its name must be a string');
  if (typeof type !== 'string' || type.length > 200)
    throw new Error('its type must be a media type such as text/plain');
  return {
    uri,
    name,
    ...texts({ description }),
    type,
    async read(signal) {
      const body = await answerInTime(`the resource ${uri}`, answerMs, (given) => method(given), signal);
      if (typeof body === 'string' || body instanceof Uint8Array) return body;
      throw new TypeError(`the resource ${uri} returned neither text nor bytes`);
    },
  } as Resource;
}

function createHooks({ data, methods }: NonNullable<TakenParts['hooks']>): PluginHookSet {
  const { tools, required = true, timeoutMs = hookTimes.default } = data;
  const names = hookNames.filter((name) => methods[name] !== undefined);
  if (names.length === 0) throw new Error(`its hooks contain none of ${hookNames.join(', ')}`);
  if (tools !== undefined && !isTextList(tools)) throw new Error('hooks.tools must be an array of tool names');
  if (typeof required !== 'boolean') throw new Error('hooks.required must be true or false');
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0 && timeoutMs <= hookTimes.longest))
    throw new Error(`hooks.timeoutMs must be a number of milliseconds, at most ${hookTimes.longest}`);
  return {
    tools,
    required,
    timeoutMs,
    names,
    ask: (name, given, signal) =>
      answerInTime(name, timeoutMs, (own) => (methods[name] as Method)(...given, own), signal),
  };
}

/** Reads an optional text of limited length. */
function texts(given: Readonly<Record<string, PlainData | undefined>>): Readonly<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new Error(`its ${key} must be a string`);
    if (Buffer.byteLength(value) > maxTextBytes) throw new Error(`its ${key} is longer than ${maxTextBytes} bytes`);
    said[key] = value;
  }
  return said;
}

function refuseTwins(what: string, names: readonly string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new Error(`the ${what} ${twin} exists twice`);
}

function at<Value>(place: string, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
  }
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
