export { recordSession, type RecordedSession, type RecordSessionOptions } from './inspect/record-session.ts';
export { readRecording, type RecordedMessage, type RecorderOptions, type Recording } from './inspect/recording.ts';
export {
  replayClient,
  replayServer,
  type ReplayDifference,
  type ReplayedServer,
  type ReplayOptions,
} from './inspect/replay.ts';
