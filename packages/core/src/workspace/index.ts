/**
 * Workspaces: roots, permission, processes, and the client that a call came from.
 *
 * @packageDocumentation
 */
export type { ProcessOutcome, ProcessRequest } from '../contracts/workspace/process-runner.ts';
export {
  type PeerAnswer,
  type PeerSampling,
  type SessionCaller,
  type SessionPeer,
} from '../contracts/workspace/session.ts';
export type { SteerOptions } from '../contracts/conversation/steer-sink.ts';
export type { Roots, WorkspaceJail, WorkspaceOptions } from '../contracts/workspace/workspace.ts';
export { createWorkspace } from './create-workspace.ts';
