import { findNearestNames } from '@haft/core';
import { McpError } from './mcp-error.ts';

/** Lists every member of an options type, so that the compiler reports a missing one. */
export type Names<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Checks that options are an object without unknown members, and suggests the nearest known name.
 *
 * @param example valid options, for the message.
 * @throws McpError `INVALID_OPTION`.
 */
export function checkNames(where: string, options: unknown, known: object, example: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new McpError('INVALID_OPTION', `${where}: its options must be an object such as ${example}`);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    const near = findNearestNames(name, Object.keys(known), 1)[0];
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    throw new McpError('INVALID_OPTION', `${where}: there is no option ${name.slice(0, 60)}${meant}`);
  }
}
