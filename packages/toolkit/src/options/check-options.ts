import { findNearestNames } from '@haft/core';
import { ToolkitError } from '../toolkit-error.ts';
import type { ToolkitOptions } from './toolkit-options.ts';

type Kind =
  | 'text'
  | 'list'
  | 'function'
  | 'object'
  | 'number'
  | 'any'
  | 'model'
  | 'logger'
  | 'middleware'
  | 'middlewares';

const kinds: Readonly<Record<keyof ToolkitOptions, Kind>> = {
  cwd: 'text',
  model: 'model',
  models: 'function',
  systemPrompt: 'text',
  ask: 'function',
  rules: 'object',
  permissionMode: 'text',
  permission: 'object',
  readRoots: 'any',
  writeRoots: 'any',
  jail: 'object',
  workspace: 'object',
  builtins: 'any',
  question: 'function',
  tools: 'list',
  program: 'any',
  prompts: 'list',
  resources: 'list',
  store: 'any',
  plugins: 'any',
  connections: 'object',
  mcp: 'object',
  delegate: 'object',
  maxPromptDepth: 'number',
  tracer: 'middleware',
  middleware: 'middlewares',
  observer: 'function',
  logger: 'logger',
  startTimeoutMs: 'number',
};

const delegateParts: readonly string[] = ['onEvent', 'call', 'createConnector'];

const expected: Readonly<Record<Kind, string>> = {
  text: 'a text',
  list: 'a list',
  function: 'a function',
  object: 'an object',
  number: 'a number above 0',
  any: '',
  model: 'a model, with name and generate(request), such as fromAiSdkModel of @haft/ai-sdk makes',
  logger: 'an object with debug, info, warn and error',
  middleware: 'an object such as { name, around(info, next) }',
  middlewares: 'a list of objects such as { name, around(info, next) }',
};

/** What an object is to hold, where that is easily got wrong. */
const examples: Readonly<Partial<Record<keyof ToolkitOptions, string>>> = {
  jail: "such as { policy: 'off' }",
  connections: "such as { github: 'https://example.com/mcp' }, or a list",
  builtins: "such as { include: ['read', 'grep'] }; leave it out for all of them",
};

/**
 * Refuses options that a program got wrong, while it can still be told.
 * @throws ToolkitError `BAD_PARAMETER`, with what was expected, or what was probably meant.
 */
export function checkOptions(options: ToolkitOptions): void {
  const refuse = (what: string): never => {
    throw new ToolkitError('BAD_PARAMETER', `createToolkit: ${what}`);
  };
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    refuse('its argument must be an object such as { model, ask }');
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(kinds, name)) {
      const near = findNearestNames(name, Object.keys(kinds), 1)[0];
      refuse(`there is no option ${name.slice(0, 60)}${near === undefined ? '' : `; did you mean ${near}?`}`);
    }
    const kind = kinds[name as keyof ToolkitOptions];
    const example = examples[name as keyof ToolkitOptions];
    if (!isOf(kind, value)) refuse(`${name} must be ${expected[kind]}${example === undefined ? '' : ` ${example}`}`);
  }
  if (options.builtins !== undefined && options.builtins !== false && !isOf('object', options.builtins))
    refuse(`builtins must be false or an object ${examples.builtins}`);
  const stray = Object.keys(options.delegate ?? {}).find((name) => !delegateParts.includes(name));
  if (stray !== undefined) refuse(`delegate has no ${stray.slice(0, 60)}; there are ${delegateParts.join(', ')}`);
  const wrong = Object.entries(options.delegate ?? {}).find(
    ([, part]) => part !== undefined && typeof part !== 'function',
  );
  if (wrong !== undefined) refuse(`delegate.${wrong[0]} must be a function`);
  const { plugins, program, store } = options;
  if (program !== undefined && typeof program !== 'boolean' && (Array.isArray(program) || !isOf('object', program)))
    refuse('program must be true, false or an object such as { limits: { toolCalls: 20 } }');
  if (store !== undefined && typeof store !== 'string' && typeof store?.collection !== 'function')
    refuse('store must be one that createStore made, or an address such as "file:haft.db"');
  if (
    plugins !== undefined &&
    (plugins === '' || Array.isArray(plugins) || (typeof plugins !== 'string' && !isOf('object', plugins)))
  )
    refuse('plugins must be a folder, or an object with dir');
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'any') return true;
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'middlewares') return Array.isArray(value) && value.every((each) => isOf('middleware', each));
  if (kind === 'model') return has(value, 'generate');
  if (kind === 'logger') return has(value, 'debug', 'info', 'warn', 'error');
  if (kind === 'middleware') return has(value, 'around') || has(value, 'prepare') || has(value, 'forgetTask');
  if (kind === 'object') return typeof value === 'object' && value !== null;
  if (kind === 'number') return typeof value === 'number' && value > 0;
  return typeof value === (kind === 'text' ? 'string' : kind);
}

function has(value: unknown, ...methods: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return methods.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');
}
