import type { AnyTool, Prompt, Resource } from '@haft/core';
import type { NamespaceKind } from '../namespaces.ts';
import type { ResourceTemplate } from '../resources/resource-template.ts';

/** A tool and its namespace. */
export interface ToolItem {
  readonly kind: 'tool';
  readonly namespace: string;
  /** The name of the tool inside its namespace. */
  readonly name: string;
  /** `namespace.name`, which always identifies this tool. */
  readonly key: string;
  /** The tool. Its `name` is the name used in calls: `connection_tool` for tools of a connection. */
  readonly tool: AnyTool;
}

/** A prompt and its namespace. */
export interface PromptItem {
  readonly kind: 'prompt';
  readonly namespace: string;
  readonly name: string;
  /** `namespace.name`. */
  readonly key: string;
  readonly prompt: Prompt;
}

/** A resource and its namespace. */
export interface ResourceItem {
  readonly kind: 'resource';
  readonly namespace: string;
  readonly name: string;
  /** `uri#namespace`. */
  readonly key: string;
  readonly resource: Resource;
}

/** A resource template and its namespace. */
export interface TemplateItem {
  readonly kind: 'template';
  readonly namespace: string;
  readonly name: string;
  /** `uriTemplate#namespace`. */
  readonly key: string;
  readonly template: ResourceTemplate;
}

/** Any item of a toolkit. */
export type ToolkitItem = ToolItem | PromptItem | ResourceItem | TemplateItem;

/** A stored item that cannot be used, and the reason. */
export interface ItemProblem {
  readonly problem: string;
}

type Listed<Entry> = readonly (Entry | ItemProblem)[];

/** A source of prompts and resources. Tools come from the registry instead. */
export interface Namespace {
  readonly name: string;
  readonly kind: NamespaceKind;
  prompts(): Listed<Prompt> | Promise<Listed<Prompt>>;
  resources(): Listed<Resource | ResourceTemplate> | Promise<Listed<Resource | ResourceTemplate>>;
}
