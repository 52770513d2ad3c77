import type { DispatcherOptions, Workspace } from '@haft/core';
import { spillText } from '@haft/sandbox';
import type { ToolkitOptions } from '../options/toolkit-options.ts';

/**
 * Creates the options for the pipeline of every call of a toolkit: workspace, permissions, tracing, middleware and
 * storage for long output.
 */
export function createPipelineOptions(
  workspace: Workspace,
  { tracer, middleware = [], observer, errors, locale }: ToolkitOptions,
): Omit<DispatcherOptions, 'registry'> {
  const { spillDirectory } = workspace;
  return {
    workspace,
    middleware: tracer ? [tracer, ...middleware] : middleware,
    ...(observer && { observer }),
    ...(errors && { errors }),
    ...(locale && { locale }),
    ...(spillDirectory === undefined ? {} : { spill: (text) => spillText(spillDirectory, text) }),
  };
}
