/**
 * Records an MCP session through a proxy, and replays it as a client or as a server in tests.
 *
 * @packageDocumentation
 */
export { recordSession, type RecordedSession, type RecordSessionOptions } from './inspect/record-session.ts';
export { readRecording, type RecordedMessage, type RecorderOptions, type Recording } from './inspect/recording.ts';
export {
  replayClient,
  replayServer,
  type ReplayDifference,
  type ReplayedServer,
  type ReplayOptions,
} from './inspect/replay.ts';
