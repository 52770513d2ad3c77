/**
 * Types of tool definitions, for programs that create tools from other descriptions.
 *
 * @packageDocumentation
 */
export type {
  Availability,
  DescriptionContext,
  Recovery,
  StreamedInput,
  ThrownErrors,
  ToolContent,
  ToolPreference,
} from '../contracts/tools/tool.ts';
export type { SideEffects } from '../contracts/permission/traits.ts';
export type { NoInput } from './compile-input.ts';
export type { OutputMode } from './tool-output-modes.ts';
export type { ToolDescription } from './tool-description.ts';
export { type RenderedOutput } from './tool-definition.ts';
export { onlyReads } from './contradictions.ts';
export { eraseTool, kindOf } from './define-tool.ts';
