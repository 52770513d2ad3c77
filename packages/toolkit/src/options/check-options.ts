import {
  functionKind,
  loggerKind,
  middlewareKind,
  modelKind,
  numberKind,
  permissionEngineKind,
  arrayOf,
  stringKind,
  workspaceKind,
  checkOptions as checkByTable,
  custom,
  described,
  either,
  isRecord,
  middlewareListKind,
  millisecondsKind,
  nonEmptyStringKind,
  objectOf,
  objectWith,
  oneOf,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import type { AnyTool } from '@haft/core';
import type { Store } from '@haft/store';
import { badParameter } from '../toolkit-error.ts';
import type { ToolkitDelegate, ToolkitOptions } from './toolkit-options.ts';

/** Accepts an object. Another package validates its members. */
function objectKind<Value extends object>(expected: string): OptionKind<Value> {
  return custom(expected, isRecord);
}

const listKind = custom<readonly unknown[]>('a list', Array.isArray);
const roots = either(arrayOf(stringKind, 'an array of folders'), oneOf('unrestricted'));

const table: OptionTable<ToolkitOptions> = {
  cwd: stringKind,
  model: modelKind,
  models: functionKind,
  systemPrompt: stringKind,
  ask: functionKind,
  rules: either(listKind, objectKind('an object of layers')),
  permissionMode: oneOf('ask', 'read-only', 'allow'),
  permission: permissionEngineKind,
  readRoots: roots,
  writeRoots: roots,
  jail: objectKind("an object such as { policy: 'off' }"),
  workspace: workspaceKind,
  builtins: either(
    custom<false>('false', (value) => value === false),
    objectKind("an object such as { include: ['read', 'grep'] }; omit it for all built-in tools"),
  ),
  question: functionKind,
  tools: described<readonly AnyTool[]>('an array of tools', listKind),
  program: either(
    custom<boolean>('true, false', (value) => typeof value === 'boolean'),
    objectKind('an object such as { limits: { toolCalls: 20 } }'),
  ),
  prompts: listKind,
  resources: listKind,
  store: either(
    objectWith<Store>('a store of createStore()', 'collection'),
    described('a URL such as "file:haft.db"', stringKind),
  ),
  plugins: either(described('a folder', nonEmptyStringKind), objectKind('an object with directory')),
  connections: either(listKind, objectKind("an object such as { github: 'https://example.com/mcp' }")),
  mcp: objectKind('an object such as { requestTimeoutMs: 10_000 }'),
  delegate: objectOf<ToolkitDelegate>(
    { onEvent: functionKind, call: functionKind, createConnector: functionKind },
    '{ onEvent: (event) => {} }',
  ),
  maxPromptDepth: numberKind({ above: 0 }),
  tracer: middlewareKind,
  middleware: middlewareListKind,
  errors: oneOf('message', 'redact'),
  observer: functionKind,
  logger: loggerKind,
  startTimeoutMs: millisecondsKind,
};

/**
 * Validates the options of `createToolkit`.
 * @throws ToolkitError `BAD_PARAMETER`, with the expected value or the most similar option name.
 */
export function checkOptions(options: ToolkitOptions): void {
  checkByTable('createToolkit', options, table, '{ model, ask }', badParameter);
}
