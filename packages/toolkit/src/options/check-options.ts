import {
  aFunction,
  aLogger,
  aMiddleware,
  aModel,
  aNumber,
  aPermissionEngine,
  arrayOf,
  aString,
  aWorkspace,
  checkOptions as checkByTable,
  custom,
  described,
  either,
  isRecord,
  middlewareList,
  milliseconds,
  nonEmptyString,
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
function anObject<Value extends object>(expected: string): OptionKind<Value> {
  return custom(expected, isRecord);
}

const aList = custom<readonly unknown[]>('a list', Array.isArray);
const roots = either(arrayOf(aString, 'an array of folders'), oneOf('unrestricted'));

const table: OptionTable<ToolkitOptions> = {
  cwd: aString,
  model: aModel,
  models: aFunction,
  systemPrompt: aString,
  ask: aFunction,
  rules: either(aList, anObject('an object of layers')),
  permissionMode: oneOf('ask', 'read-only', 'allow'),
  permission: aPermissionEngine,
  readRoots: roots,
  writeRoots: roots,
  jail: anObject("an object such as { policy: 'off' }"),
  workspace: aWorkspace,
  builtins: either(
    custom<false>('false', (value) => value === false),
    anObject("an object such as { include: ['read', 'grep'] }; omit it for all built-in tools"),
  ),
  question: aFunction,
  tools: described<readonly AnyTool[]>('an array of tools', aList),
  program: either(
    custom<boolean>('true, false', (value) => typeof value === 'boolean'),
    anObject('an object such as { limits: { toolCalls: 20 } }'),
  ),
  prompts: aList,
  resources: aList,
  store: either(
    objectWith<Store>('a store of createStore()', 'collection'),
    described('a URL such as "file:haft.db"', aString),
  ),
  plugins: either(described('a folder', nonEmptyString), anObject('an object with directory')),
  connections: either(aList, anObject("an object such as { github: 'https://example.com/mcp' }")),
  mcp: anObject('an object such as { requestTimeoutMs: 10_000 }'),
  delegate: objectOf<ToolkitDelegate>(
    { onEvent: aFunction, call: aFunction, createConnector: aFunction },
    '{ onEvent: (event) => {} }',
  ),
  maxPromptDepth: aNumber({ above: 0 }),
  tracer: aMiddleware,
  middleware: middlewareList,
  errors: oneOf('message', 'redact'),
  observer: aFunction,
  logger: aLogger,
  startTimeoutMs: milliseconds,
};

/**
 * Validates the options of `createToolkit`.
 * @throws ToolkitError `BAD_PARAMETER`, with the expected value or the most similar option name.
 */
export function checkOptions(options: ToolkitOptions): void {
  checkByTable('createToolkit', options, table, '{ model, ask }', badParameter);
}
