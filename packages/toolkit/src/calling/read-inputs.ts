import { isResource, isToolError, type Resource } from '@haft/core';
import { ToolkitError } from '../toolkit-error.ts';
import { isJsonResource } from '../resources/read-content.ts';
import { json } from '../resources/json.ts';

/** An input of a call: a resource or, as the first input, a plain value that is converted to a resource. */
export type CallInput = Resource | Readonly<Record<string, unknown>> | readonly unknown[] | string | number | boolean;

/** The inputs of a call, split into the main input (arguments or variables) and the rest. */
export interface ReadInputs {
  readonly main: Resource | undefined;
  readonly others: readonly Resource[];
}

/** Rejects invalid inputs. Otherwise, an unchecked value could be mistaken for arguments. */
function checkInput(input: unknown, place: number): void {
  const { ok, error, then } = Object(input) as {
    readonly ok?: unknown;
    readonly error?: unknown;
    readonly then?: unknown;
  };
  const refuse = (what: string): never => {
    throw new ToolkitError('BAD_PARAMETER', `call: input ${place} is ${what}`);
  };
  if (typeof then === 'function') refuse('a promise; await it first');
  if (ok === false && isToolError(error))
    refuse(`a failed answer (${error.code}: ${error.message.slice(0, 200)}); check ok first, or use unwrap()`);
}

/**
 * Splits the inputs of a call. For a tool, the first JSON resource holds the arguments, at any position.
 * @throws ToolkitError `BAD_PARAMETER` if a later input is not a resource.
 */
export function readInputs(inputs: readonly CallInput[], forWhat: 'tool' | 'prompt'): ReadInputs {
  const resources = inputs.map((input, index): Resource => {
    if (isResource(input)) return input;
    checkInput(input, index + 1);
    if (index === 0) return json('input', input);
    throw new ToolkitError('BAD_PARAMETER', `call: input ${index + 1} must be a resource, such as text() creates`);
  });
  const place = forWhat === 'tool' ? resources.findIndex(isJsonResource) : 0;
  return { main: resources[place], others: resources.filter((_, index) => index !== place) };
}
