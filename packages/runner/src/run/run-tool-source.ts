import {
  createDispatcher,
  HaftError,
  type DispatcherOptions,
  type DispatchMiddleware,
  type ToolObserver,
  type ToolSource,
} from '@haft/core';
import type { RunAgentOptions } from '../options/agent-options.ts';
import { notify } from '../notify.ts';

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
  const { permission, workspace, errors, locale, tracing } = options;
  const observer = joinObservers(tracing?.observer, options.observer);
  const middleware = withTracing(tracing?.middleware, options.middleware);
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

/** The middleware of the tracing comes first, so that other middleware runs inside its span. */
function withTracing(
  own: DispatchMiddleware | undefined,
  given: readonly DispatchMiddleware[] | undefined,
): readonly DispatchMiddleware[] | undefined {
  return own === undefined || given?.includes(own) ? given : [own, ...(given ?? [])];
}

function joinObservers(own: ToolObserver | undefined, given: ToolObserver | undefined): ToolObserver | undefined {
  if (own === undefined || given === undefined || own === given) return given ?? own;
  return (event) => {
    notify(own, event);
    given(event);
  };
}
