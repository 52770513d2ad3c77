import { createDispatcher, HaftError, type DispatcherOptions, type ToolSource } from '@haft/core';
import type { RunAgentOptions } from '../contracts/agent-options.ts';

const ownOptions = ['permission', 'workspace', 'errors', 'locale', 'observer', 'middleware'] as const;

/**
 * Converts the `tools` option to a tool source.
 * @throws HaftError `INVALID_OPTION` if `tools` is a source and an option applies only to a new dispatcher.
 */
export function asToolSource(options: RunAgentOptions): ToolSource {
  const { tools = [] } = options;
  if ('dispatchBatch' in tools) {
    const given = ownOptions.find((name) => options[name] !== undefined);
    if (given === undefined) return tools;
    throw new HaftError(
      'INVALID_OPTION',
      `${given}: not allowed, because tools is a source with its own dispatcher: pass ${given} to that dispatcher`,
    );
  }
  const { permission, workspace, errors, locale, observer, middleware } = options;
  const dispatcher: DispatcherOptions = {
    registry: tools,
    ...(permission && { permission }),
    ...(workspace && { workspace }),
    ...(errors && { errors }),
    ...(locale && { locale }),
    ...(observer && { observer }),
    ...(middleware && { middleware }),
  };
  return createDispatcher(dispatcher);
}
