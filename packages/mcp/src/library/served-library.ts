import { describeCause, type Prompt, type Resource } from '@haft/core';
import { checkNames, type Names } from '../check-names.ts';
import { McpError } from '../mcp-error.ts';

/** Resources that are made of variables: one for every address that fits the template. */
export interface ServedResourceTemplate {
  /** As RFC 6570 writes it, such as `notes://{year}/{month}`. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  /** Media type such as `text/plain`; empty when unknown. */
  readonly type: string;
  read(variables: Readonly<Record<string, string>>, signal: AbortSignal, uri: string): ReturnType<Resource['read']>;
}

/** A value of a prompt's or a template's variable that is half typed. */
export interface CompletionRequest {
  /** The prompt's name, or the template. */
  readonly prompt?: string;
  readonly uriTemplate?: string;
  /** Which variable. */
  readonly variable: string;
  /** What has been typed of it. */
  readonly typed: string;
  /** Variables that have a value already. */
  readonly otherValues: Readonly<Record<string, string>>;
}

/** What {@link createLibrary} takes. */
export interface LibraryOptions {
  readonly resources?: readonly Resource[];
  readonly templates?: readonly ServedResourceTemplate[];
  readonly prompts?: readonly Prompt[];
  /** Proposes values; at most 100 of them are sent. */
  readonly complete?: (
    question: CompletionRequest,
    signal: AbortSignal,
  ) => readonly string[] | Promise<readonly string[]>;
}

/** What happened to a library. */
export type LibraryChange =
  | { readonly kind: 'resources' | 'prompts' }
  /** What is at an address is another now. */
  | { readonly kind: 'resource'; readonly uri: string };

/** Resources and prompts that are served beside tools; clients hear when they change. */
export interface Library {
  readonly resources: readonly Resource[];
  readonly templates: readonly ServedResourceTemplate[];
  readonly prompts: readonly Prompt[];
  readonly complete: LibraryOptions['complete'];
  /** Adds one, in the place of another of its address. */
  addResource(resource: Resource): void;
  removeResource(uri: string): boolean;
  /** Adds one, in the place of another of the same form. */
  addTemplate(template: ServedResourceTemplate): void;
  removeTemplate(uriTemplate: string): boolean;
  /** Adds one, in the place of another of its name. */
  addPrompt(prompt: Prompt): void;
  removePrompt(name: string): boolean;
  /** Tells whoever has subscribed to an address that what is there is another now. */
  notifyUpdated(uri: string): void;
  /** Returns how to stop listening. What a listener throws is dropped. */
  onChange(listener: (change: LibraryChange) => void): () => void;
}

const members: Names<LibraryOptions> = { resources: true, templates: true, prompts: true, complete: true };

/**
 * Makes a library to be served: `serve(source, { library })`.
 *
 * @throws McpError `INVALID_OPTION` for a resource without an address, or a prompt without a name.
 */
export function createLibrary(options: LibraryOptions = {}): Library {
  checkNames('createLibrary', options, members, '{ prompts: [prompt] }');
  const resources = new Map<string, Resource>();
  const templates = new Map<string, ServedResourceTemplate>();
  const prompts = new Map<string, Prompt>();
  const listeners = new Set<(change: LibraryChange) => void>();
  const notify = (change: LibraryChange): void => {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch {
        // A listener's failure is its own.
      }
    }
  };
  const put = <Value>(into: Map<string, Value>, key: unknown, value: Value, what: string): void => {
    if (typeof key !== 'string' || key === '')
      throw new McpError('INVALID_OPTION', `${what} that is a text, not ${describeCause(key)}`);
    into.set(key, value);
  };
  const addResource = (resource: Resource): void => put(resources, resource?.uri, resource, 'a resource needs a uri');
  const addTemplate = (template: ServedResourceTemplate): void =>
    put(templates, template?.uriTemplate, template, 'a template needs a uriTemplate');
  const addPrompt = (prompt: Prompt): void => put(prompts, prompt?.name, prompt, 'a prompt needs a name');
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
