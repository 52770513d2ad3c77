import {
  createDispatcher,
  type AnyTool,
  type CallContext,
  type DispatcherOptions,
  type Model,
  type Prompt,
  type ToolRegistry,
  type ToolSource,
  type TurnHooks,
} from '@haft/core';
import { findItem } from '../catalogue/find-item.ts';
import { isPrompt, type GatheredItems } from '../catalogue/gather-items.ts';
import type { ModelWish } from '../prompts/agent-prompt.ts';
import { ToolkitError } from '../toolkit-error.ts';
import type { ToolkitDelegate } from '../options/toolkit-options.ts';
import { answerFailed, answerWith, type Answer } from '../answer.ts';
import { checkCallContext } from './check-call-context.ts';
import { callPrompt, type PromptRunner } from './call-prompt.ts';
import { callTool } from './call-tool.ts';
import { chooseTools } from './prompt-tools.ts';
import type { CallInput } from './read-inputs.ts';

/** Dependencies of a caller. */
export interface CallerParts {
  readonly registry: ToolRegistry;
  readonly dispatcher: ToolSource;
  /** Dispatcher options for tools that are not in the registry. */
  readonly pipeline: Omit<DispatcherOptions, 'registry'>;
  readonly gather: () => Promise<GatheredItems>;
  readonly modelFor: (wish: ModelWish) => Model | undefined;
  readonly delegate: ToolkitDelegate | undefined;
  readonly maxPromptDepth: number;
  /** Hooks that run around the turns of every prompt. */
  readonly turnHooks: readonly TurnHooks[];
}

/** Calls a tool or prompt, given by name or as an object. */
export type Caller = (
  context: CallContext,
  what: string | AnyTool | Prompt,
  ...inputs: readonly CallInput[]
) => Promise<Answer>;

/** Creates the function behind `call` of a toolkit. */
export function createCaller(parts: CallerParts): Caller {
  const { registry, dispatcher, pipeline, gather, delegate } = parts;
  const prompts: PromptRunner = {
    modelFor: parts.modelFor,
    sourceFor: (prompt) => chooseTools(prompt, { source: dispatcher, gather, call, dispatcher: pipeline }),
    ...(delegate?.call && { delegate: delegate.call }),
    maxDepth: parts.maxPromptDepth,
    turnHooks: parts.turnHooks,
  };

  async function call(
    context: CallContext,
    what: string | AnyTool | Prompt,
    ...inputs: readonly CallInput[]
  ): Promise<Answer> {
    checkCallContext(context);
    if (typeof what !== 'string') return callThing(context, what, inputs);
    const found = findItem(what, await gather());
    if (!found.ok) return answerFailed(found.error);
    const { item } = found;
    if (item.kind === 'tool') return callTool(dispatcher, item.tool.name, inputs, context);
    if (item.kind === 'prompt') return callPrompt(item.prompt, inputs, context, prompts);
    return answerWith(item.resource);
  }

  function callThing(context: CallContext, what: AnyTool | Prompt, inputs: readonly CallInput[]): Promise<Answer> {
    if (isPrompt(what)) return callPrompt(what, inputs, context, prompts);
    if (typeof what?.execute !== 'function')
      throw new ToolkitError(
        'BAD_PARAMETER',
        'call: the first argument must be a name, a tool of defineTool or a prompt',
      );
    const source = registry.get(what.name) === what ? dispatcher : createDispatcher({ ...pipeline, registry: [what] });
    return callTool(source, what.name, inputs, context);
  }

  return call;
}
