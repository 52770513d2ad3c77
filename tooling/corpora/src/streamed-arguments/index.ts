export type { ArgumentsShape } from './arguments-text.ts';
export { argumentsShapes, cutEvenly, writeArguments } from './arguments-text.ts';
