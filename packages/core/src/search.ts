/**
 * Tool search: shows a model a few tools at first, and the others when it searches for them.
 *
 * @packageDocumentation
 */
export { createToolSearch, type ToolSearchOptions } from './search/create-tool-search.ts';
export { definitionBytes, selectByWeight, type ToolSelector } from './search/select-tools.ts';
export { createToolIndex, type FoundTool, type ToolIndex } from './search/tool-index.ts';
