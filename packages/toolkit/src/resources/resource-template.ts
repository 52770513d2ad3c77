import type { Resource } from '@haft/core';
import { ToolkitError } from '../toolkit-error.ts';
import { checkResourceName } from './define-resource.ts';
import { parseUriTemplate } from './uri-template.ts';

/** Resources that share a URI pattern. Each is created when its URI is requested. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  /** Media type of all resources; empty if the types differ. */
  readonly type: string;
  /** Names of the variables of the URI template. */
  readonly variables: readonly string[];
  /** Returns the resource for a URI, or undefined if the URI does not match. Reads no content. */
  resolve(uri: string): Resource | undefined;
}

/** Definition for {@link defineResourceTemplate}. */
export interface ResourceTemplateDefinition {
  /** A URI template with variables (RFC 6570), such as `log:///{day}` or `file:///{+path}`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  readonly type?: string;
  /** Reads the resource for the variables. The variables are untrusted input, so validate them like arguments. */
  read(variables: Readonly<Record<string, string>>, signal?: AbortSignal): ReturnType<Resource['read']>;
}

/**
 * Creates a resource template.
 *
 * @throws ToolkitError `BAD_PARAMETER` if the URI template or the name is invalid.
 * @example
 * import { defineResourceTemplate } from '@haft/toolkit';
 * const notes = defineResourceTemplate({ uriTemplate: 'notes:/{day}', name: 'notes', read: ({ day }) => `milk for ${day}` });
 * notes.name; // => 'notes'
 */
export function defineResourceTemplate(definition: ResourceTemplateDefinition): ResourceTemplate {
  const { name, description, type = '' } = definition;
  checkResourceName(name);
  const template = parseUriTemplate(definition.uriTemplate);
  if (template.variables.length === 0)
    throw new ToolkitError(
      'BAD_PARAMETER',
      `the URI template ${template.template} has no variable: use a resource instead`,
    );
  if (typeof definition.read !== 'function')
    throw new ToolkitError('BAD_PARAMETER', `the resource template ${name} needs a read function`);
  return {
    uriTemplate: template.template,
    name,
    ...(description === undefined ? {} : { description }),
    type,
    variables: template.variables,
    resolve(uri) {
      const variables = template.match(uri);
      if (variables === undefined) return undefined;
      return {
        uri,
        name,
        ...(description === undefined ? {} : { description }),
        type,
        read: (signal) => definition.read(variables, signal),
      };
    },
  };
}

/** Checks whether a value is a resource template. */
export function isResourceTemplate(value: unknown): value is ResourceTemplate {
  if (typeof value !== 'object' || value === null) return false;
  const { uriTemplate, resolve } = value as Partial<Record<keyof ResourceTemplate, unknown>>;
  return typeof uriTemplate === 'string' && typeof resolve === 'function';
}
