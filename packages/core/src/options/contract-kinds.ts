import type { DispatchMiddleware } from '../contracts/calls/middleware.ts';
import type { ToolSource } from '../contracts/calls/source.ts';
import type { Model } from '../contracts/conversation/model.ts';
import type { PermissionEngine } from '../contracts/permission/permission.ts';
import type { AnyTool, ToolSnapshot } from '../contracts/tools/tool.ts';
import type { ProcessRunner } from '../contracts/workspace/process-runner.ts';
import type { Logger, Session } from '../contracts/workspace/session.ts';
import type { Workspace } from '../contracts/workspace/workspace.ts';
import { arrayOf } from './compound-kinds.ts';
import { hasMethods, isRecord } from './is-record.ts';
import { aiSdkRemedy, isAiSdkTool } from './ai-sdk-tool-option.ts';
import type { OptionKind } from './option-kind.ts';
import { custom, notValid, objectWith } from './option-kinds.ts';

export const loggerKind: OptionKind<Logger> = objectWith<Logger>(
  'an object with debug, info, warn and error',
  'debug',
  'info',
  'warn',
  'error',
);
export const modelKind: OptionKind<Model> = {
  expected: 'a Model: an object with a name and a method generate, such as aiSdkModel(…)',
  findFault(value, path) {
    if (hasMethods(value, 'generate')) return undefined;
    if (hasMethods(value, 'doGenerate') || hasMethods(value, 'doStream'))
      return { path, problem: 'is not a Model (wrap a model of the AI SDK: aiSdkModel(model) of @haft/ai-sdk)' };
    return notValid(path, modelKind.expected, value);
  },
};
/** Options of `createPermissionEngine` of `@haft/permission` that an engine does not have as members. */
const engineOptions = ['rules', 'defaults', 'roots', 'protectedGlobs', 'grantStore'] as const;

export const permissionEngineKind: OptionKind<PermissionEngine> = {
  expected: 'a PermissionEngine: an object with a method ask, such as allowAll',
  findFault(value, path) {
    const canAsk = hasMethods(value, 'ask');
    const stray = isRecord(value) ? engineOptions.find((name) => Object.hasOwn(value, name)) : undefined;
    if (stray === undefined || hasMethods(value, 'grants'))
      return canAsk ? undefined : notValid(path, permissionEngineKind.expected, value);
    // If accepted because of its `ask`, the rules would be ignored.
    const given = canAsk ? `ask, ${stray}` : stray;
    return { path, problem: `is not an engine (pass createPermissionEngine({ ${given} }) of @haft/permission)` };
  },
};
export const sessionKind: OptionKind<Session> = custom(
  'an object such as { id, metadata }',
  (value) => isRecord(value) && typeof value['id'] === 'string',
);
export const toolSourceKind: OptionKind<ToolSource> = objectWith<ToolSource>(
  'a ToolSource such as createDispatcher({ registry, permission }) returns',
  'snapshot',
  'visibleTo',
  'dispatch',
  'dispatchBatch',
);
/** A registry has methods of the same names, so the members are checked. */
export const snapshotKind: OptionKind<ToolSnapshot> = custom(
  'a ToolSnapshot, such as dispatcher.snapshot()',
  (value) => isRecord(value) && Array.isArray(value['tools']) && Array.isArray(value['names']),
);
/** A `ToolRegistry`, including one from another copy of this package. */
export const toolRegistryKind: OptionKind<object> = custom('a ToolRegistry', (value) =>
  hasMethods(value, 'batch', 'onChange', 'providerFor', 'snapshot'),
);
export const workspaceKind: OptionKind<Workspace> = custom(
  'a Workspace such as createWorkspace({ cwd }) returns',
  (value) => isRecord(value) && typeof value['cwd'] === 'string' && hasMethods(value, 'now'),
);
/** The tools of a loop or a server. */
export const toolsKind: OptionKind<ToolSource | readonly AnyTool[] | object> = {
  expected: 'a registry, a dispatcher or an array of tools',
  findFault(value, path) {
    if (Array.isArray(value) || hasMethods(value, 'dispatchBatch') || hasMethods(value, 'batch', 'onChange'))
      return undefined;
    const isAiSdkSet = isRecord(value) && Object.values(value).some(isAiSdkTool);
    const { path: name, problem } = notValid(path, toolsKind.expected, value);
    return { path: name, problem: isAiSdkSet ? `${problem}: ${aiSdkRemedy}` : problem };
  },
};
/** Starts programs. The module `@haft/sandbox` is an implementation. */
export const processRunnerKind: OptionKind<ProcessRunner> = objectWith<ProcessRunner>(
  "a ProcessRunner such as `import * as sandbox from '@haft/sandbox'`",
  'findExecutable',
  'createCleanEnvironment',
  'runProcess',
);
const hooks: readonly (keyof DispatchMiddleware)[] = ['prepare', 'around', 'forgetTask'];
export const middlewareKind: OptionKind<DispatchMiddleware> = custom(
  'an object such as { name, prepare?, around? }',
  (value) =>
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    hooks.every((hook) => value[hook] === undefined || typeof value[hook] === 'function'),
);
export const middlewareListKind: OptionKind<readonly DispatchMiddleware[]> = arrayOf(
  middlewareKind,
  'an array of { name, prepare?, around? }',
);
