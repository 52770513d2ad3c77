import type { AnyTool, Prompt, Resource } from '@haft/core';
import type { NamespaceKind } from '../namespaces.ts';
import type { ResourceTemplate } from '../resources/resource-template.ts';

/** A tool, and where it stands. */
export interface ToolItem {
  readonly kind: 'tool';
  readonly namespace: string;
  /** Its name inside the namespace. */
  readonly name: string;
  /** `namespace.name`: means this one whatever else there is. */
  readonly key: string;
  /** Its own `name` is the one it is called by: `connection_tool` for those of a connection. */
  readonly tool: AnyTool;
}

/** A prompt, and where it stands. */
export interface PromptItem {
  readonly kind: 'prompt';
  readonly namespace: string;
  readonly name: string;
  /** `namespace.name`. */
  readonly key: string;
  readonly prompt: Prompt;
}

/** A resource, and where it stands. */
export interface ResourceItem {
  readonly kind: 'resource';
  readonly namespace: string;
  readonly name: string;
  /** `uri#namespace`. */
  readonly key: string;
  readonly resource: Resource;
}

/** A form that resources have, and where it stands. */
export interface TemplateItem {
  readonly kind: 'template';
  readonly namespace: string;
  readonly name: string;
  /** `uriTemplate#namespace`. */
  readonly key: string;
  readonly template: ResourceTemplate;
}

/** Anything a toolkit has. */
export type ToolkitItem = ToolItem | PromptItem | ResourceItem | TemplateItem;

/** Something that is kept but can't be used, and why. */
export interface ItemProblem {
  readonly problem: string;
}

type Listed<Entry> = readonly (Entry | ItemProblem)[];

/** Where prompts and resources come from besides tools, which the registry has. */
export interface Namespace {
  readonly name: string;
  readonly kind: NamespaceKind;
  prompts(): Listed<Prompt> | Promise<Listed<Prompt>>;
  resources(): Listed<Resource | ResourceTemplate> | Promise<Listed<Resource | ResourceTemplate>>;
}
