export { describeTool, type TestApi, type ToolLaws } from './testing/describe-tool.ts';
export { collectEvents, type EventCollector } from './testing/collect-events.ts';
