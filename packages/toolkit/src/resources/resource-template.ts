import type { Resource } from '@haft/core';
import { ToolkitError } from '../toolkit-error.ts';
import { checkResourceName } from './define-resource.ts';
import { parseUriTemplate } from './uri-template.ts';

/** Resources of one form, made when one of them is asked for by its URI. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  /** Media type of all of them; empty when they differ. */
  readonly type: string;
  /** Names of the variables in the template. */
  readonly variables: readonly string[];
  /** The resource that a URI means; `undefined` when it is not of this form. Reads nothing. */
  resolve(uri: string): Resource | undefined;
}

/** What {@link defineResourceTemplate} takes. */
export interface ResourceTemplateDefinition {
  /** A URI with variables of RFC 6570, such as `log:///{day}` or `file:///{+path}`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  readonly type?: string;
  /** Reads the one that the variables say; they come from whoever asks, so check them as you would any argument. */
  read(variables: Readonly<Record<string, string>>, signal?: AbortSignal): ReturnType<Resource['read']>;
}

/**
 * Makes a template of resources.
 * @throws ToolkitError `BAD_PARAMETER` for a URI template or name that can't be used.
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

/** Tells whether a value is a template, not a resource. */
export function isResourceTemplate(value: unknown): value is ResourceTemplate {
  if (typeof value !== 'object' || value === null) return false;
  const { uriTemplate, resolve } = value as Partial<Record<keyof ResourceTemplate, unknown>>;
  return typeof uriTemplate === 'string' && typeof resolve === 'function';
}
