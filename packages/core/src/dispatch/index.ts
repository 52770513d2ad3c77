/**
 * Details of the dispatcher: queues and limits of calls, retries, streamed arguments.
 *
 * @packageDocumentation
 */
export type { CallQueue, Lease } from '../contracts/calls/call-queue.ts';
export type { FoundTarget } from '../contracts/permission/permission.ts';
export type { CallReading, CallStart } from '../contracts/calls/call.ts';
export { type DecodedArguments } from './steps/decode.ts';
export { type SpillText } from './options/dispatcher-options.ts';
export { type FoundCall } from './to-tool-call.ts';
export { createInputStream, type InputStream } from './stream-input.ts';
export type { CallRetries } from './options/retry-options.ts';
export type { Preparation } from '../contracts/calls/middleware.ts';
export { type CallLimit, type CallLimitOptions } from '../limits/limit-calls.ts';
export { cutMiddle } from './call/cut-middle.ts';
