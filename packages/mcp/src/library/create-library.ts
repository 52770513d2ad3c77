import type { Prompt, Resource } from '@haft/core';
import {
  checkOption,
  checkOptions,
  custom,
  functionKind,
  isRecord,
  showValue,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import { describeCause } from '@haft/core/results';
import { invalidOption, McpError } from '../mcp-error.ts';

/** A resource for every URI that matches a template. */
export interface ServedResourceTemplate {
  /** An RFC 6570 template such as `notes://{year}/{month}`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  /** Media type such as `text/plain`; empty if unknown. */
  readonly type: string;
  read(variables: Readonly<Record<string, string>>, signal: AbortSignal, uri: string): ReturnType<Resource['read']>;
}

/** A request for completions of a partly typed value of a prompt or template variable. */
export interface CompletionRequest {
  /** Name of the prompt; absent for a template. */
  readonly prompt?: string;
  readonly uriTemplate?: string;
  /** Name of the variable. */
  readonly variable: string;
  /** Text typed so far. */
  readonly typed: string;
  /** Variables that already have a value. */
  readonly otherValues: Readonly<Record<string, string>>;
}

/** Options of {@link createLibrary}. */
export interface LibraryOptions {
  readonly resources?: readonly Resource[];
  readonly templates?: readonly ServedResourceTemplate[];
  readonly prompts?: readonly Prompt[];
  /** Suggests values. At most 100 are sent. */
  readonly complete?: (
    request: CompletionRequest,
    signal: AbortSignal,
  ) => readonly string[] | Promise<readonly string[]>;
}

/** A change of a library. */
export type LibraryChange =
  | { readonly kind: 'resources' | 'prompts' }
  /** The resource at this URI has new content. */
  | { readonly kind: 'resource'; readonly uri: string };

/** Resources and prompts that are served beside tools. Clients are notified of changes. */
export interface Library {
  readonly resources: readonly Resource[];
  readonly templates: readonly ServedResourceTemplate[];
  readonly prompts: readonly Prompt[];
  readonly complete: LibraryOptions['complete'];
  /** Adds a resource. Replaces one with the same URI. */
  addResource(resource: Resource): void;
  removeResource(uri: string): boolean;
  /** Adds a template. Replaces one with the same `uriTemplate`. */
  addTemplate(template: ServedResourceTemplate): void;
  removeTemplate(uriTemplate: string): boolean;
  /** Adds a prompt. Replaces one with the same name. */
  addPrompt(prompt: Prompt): void;
  removePrompt(name: string): boolean;
  /** Notifies subscribers that the resource at this URI has new content. */
  notifyUpdated(uri: string): void;
  /** Adds a listener and returns a function that removes it. Errors of listeners are dropped. */
  onChange(listener: (change: LibraryChange) => void): () => void;
}

const table: OptionTable<LibraryOptions> = {
  resources: custom('a list of resources', Array.isArray),
  templates: custom('a list of templates', Array.isArray),
  prompts: custom('a list of prompts', Array.isArray),
  complete: functionKind,
};

/** Without these members, a client's request for the list would fail. */
const promptMembers: Readonly<Record<string, OptionKind<never>>> = {
  variables: custom('an array such as [{ name: "city", required: true }]', Array.isArray),
  prepare: functionKind,
};
const templateMembers: typeof promptMembers = {
  read: functionKind,
  type: custom('a media type such as "text/plain"', (value) => value === undefined || typeof value === 'string'),
};
const resourceMembers: typeof promptMembers = {
  uri: custom(
    'an absolute URI such as "notes:///today"',
    (value) => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(value),
  ),
  ...templateMembers,
};

function checkMembers(owner: string, given: object, kinds: typeof promptMembers): void {
  if ('type' in kinds && 'mimeType' in given && !('type' in given))
    throw invalidOption(`${owner}: mimeType is unknown (use "type")`);
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = given[name as keyof typeof given];
    checkOption(owner, name, value, kind, invalidOption);
  }
}

/**
 * Creates a library for `serve(source, { library })`.
 *
 * @throws McpError `INVALID_OPTION` for a resource without an absolute `uri` or `read`, a template without a
 * `uriTemplate` or `read`, a `mimeType` in place of `type`, or a prompt without a `name`, `variables` or `prepare`.
 * @example
 * import { createDispatcher } from '@haft/core';
 * import { createConnection, createLibrary, serve } from '@haft/mcp';
 * const library = createLibrary({ resources: [{ uri: 'notes:///today', name: 'today', type: 'text/plain', read: () => 'milk' }] });
 * const server = serve(createDispatcher({ registry: [] }), { name: 'notes', library, http: {} });
 *
 * const connection = await createConnection({ url: (await server.ready).url ?? '' });
 * (await connection.library.resources()).map(({ name }) => name); // => [ 'today' ]
 * await connection.close();
 * await server.close();
 */
export function createLibrary(options: LibraryOptions = {}): Library {
  checkOptions('createLibrary', options, table, '{ prompts: [prompt] }', invalidOption);
  const resources = new Map<string, Resource>();
  const templates = new Map<string, ServedResourceTemplate>();
  const prompts = new Map<string, Prompt>();
  const listeners = new Set<(change: LibraryChange) => void>();
  const notify = (change: LibraryChange): void => {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch {
        // Listeners handle their own errors.
      }
    }
  };
  const store = <Value>(into: Map<string, Value>, key: unknown, value: Value, what: string): void => {
    if (typeof key !== 'string' || key === '')
      throw new McpError(
        'INVALID_OPTION',
        `${what} is not valid (expected a non-empty string, got ${describeCause(key)})`,
      );
    into.set(key, value);
  };
  const addResource = (resource: Resource): void => {
    if (isRecord(resource)) checkMembers(`resource ${showValue(resource.uri)}`, resource, resourceMembers);
    store(resources, resource?.uri, resource, 'resource.uri');
  };
  const addTemplate = (template: ServedResourceTemplate): void => {
    if (isRecord(template)) checkMembers(`template ${showValue(template.uriTemplate)}`, template, templateMembers);
    store(templates, template?.uriTemplate, template, 'template.uriTemplate');
  };
  const addPrompt = (prompt: Prompt): void => {
    if (isRecord(prompt)) checkMembers(`prompt ${showValue(prompt.name)}`, prompt, promptMembers);
    store(prompts, prompt?.name, prompt, 'prompt.name');
  };
  options.resources?.forEach(addResource);
  options.templates?.forEach(addTemplate);
  options.prompts?.forEach(addPrompt);

  return {
    get resources() {
      return [...resources.values()];
    },
    get templates() {
      return [...templates.values()];
    },
    get prompts() {
      return [...prompts.values()];
    },
    complete: options.complete,
    addResource(resource) {
      addResource(resource);
      notify({ kind: 'resources' });
    },
    removeResource(uri) {
      const isGone = resources.delete(uri);
      if (isGone) notify({ kind: 'resources' });
      return isGone;
    },
    addTemplate(template) {
      addTemplate(template);
      notify({ kind: 'resources' });
    },
    removeTemplate(uriTemplate) {
      const isGone = templates.delete(uriTemplate);
      if (isGone) notify({ kind: 'resources' });
      return isGone;
    },
    addPrompt(prompt) {
      addPrompt(prompt);
      notify({ kind: 'prompts' });
    },
    removePrompt(name) {
      const isGone = prompts.delete(name);
      if (isGone) notify({ kind: 'prompts' });
      return isGone;
    },
    notifyUpdated: (uri) => notify({ kind: 'resource', uri }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
