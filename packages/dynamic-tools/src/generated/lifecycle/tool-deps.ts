import type { ToolRegistry } from '@haft/core';
import type { Catalog } from '../../catalog/create-catalog.ts';
import type { GeneratedToolEvent, GeneratedToolInfo } from '../store/generated-report.ts';
import type { ToolBuilder } from '../store/tool-builder.ts';

/** What the lifecycle tools of generated tools work on. */
export interface ToolDeps {
  readonly registry: ToolRegistry;
  readonly catalog: Catalog;
  readonly builder: ToolBuilder;
  /** Modules that tools may import besides the plain ones. */
  readonly modules: readonly string[];
  readonly mayShadow: readonly string[];
  readonly emit: (event: GeneratedToolEvent) => void;
  infos(): readonly GeneratedToolInfo[];
  /** Brings a tool into the state that the catalog says. */
  follow(name: string): Promise<void>;
}
