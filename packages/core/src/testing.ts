/**
 * Test support: laws that every tool must hold, and a collector of events. Works with any test runner.
 *
 * @packageDocumentation
 */
export { describeTool, type TestApi, type ToolLaws } from './testing/tool-laws.ts';
export { collectEvents, type EventCollector } from './testing/collect-events.ts';
