import type { ToolRegistry } from '@haft/core';
import type { Catalog } from '../../catalog/create-catalog.ts';
import type { GeneratedToolEvent, GeneratedToolInfo } from '../shelf/generated-report.ts';
import type { ToolWorkshop } from '../shelf/tool-workshop.ts';

/** What the lifecycle tools of generated tools work on. */
export interface ToolDesk {
  readonly registry: ToolRegistry;
  readonly catalog: Catalog;
  readonly workshop: ToolWorkshop;
  /** Modules that tools may import besides the plain ones. */
  readonly modules: readonly string[];
  readonly mayShadow: readonly string[];
  readonly emit: (event: GeneratedToolEvent) => void;
  infos(): readonly GeneratedToolInfo[];
  /** Brings a tool into the state that the catalog says. */
  follow(name: string): Promise<void>;
}
