import type { ToolRegistry } from '@haft/core';
import type { Catalog } from '../../catalog/create-catalog.ts';
import type { GeneratedToolEvent, GeneratedToolInfo } from '../store/generated-report.ts';
import type { ToolBuilder } from '../store/tool-builder.ts';

/** Dependencies of the lifecycle tools for generated tools. */
export interface ToolDeps {
  readonly registry: ToolRegistry;
  readonly catalog: Catalog;
  readonly builder: ToolBuilder;
  /** Modules that tools may import in addition to the default ones. */
  readonly modules: readonly string[];
  readonly mayShadow: readonly string[];
  readonly emit: (event: GeneratedToolEvent) => void;
  infos(): readonly GeneratedToolInfo[];
  /** Updates a tool to its state in the catalog. */
  follow(name: string): Promise<void>;
}
