import { createDispatcher, HaftError, type DispatcherOptions, type ToolSource } from '@haft/core';
import type { RunAgentOptions } from '../contracts/agent-options.ts';

const ownOptions = ['permission', 'workspace', 'observer', 'middleware'] as const;

/**
 * Makes one source of whatever a run was given as tools.
 * @throws HaftError `INVALID_OPTION` when a source comes with options that only a new dispatcher could follow.
 */
export function asToolSource(options: RunAgentOptions): ToolSource {
  const { tools = [] } = options;
  if ('dispatchBatch' in tools) {
    const given = ownOptions.find((name) => options[name] !== undefined);
    if (given === undefined) return tools;
    throw new HaftError('INVALID_OPTION', `tools is a source with a dispatcher of its own: give ${given} to that one`);
  }
  const { permission, workspace, observer, middleware } = options;
  const dispatcher: DispatcherOptions = {
    registry: tools,
    ...(permission && { permission }),
    ...(workspace && { workspace }),
    ...(observer && { observer }),
    ...(middleware && { middleware }),
  };
  return createDispatcher(dispatcher);
}
