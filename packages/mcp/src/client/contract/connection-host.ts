import type { ElicitationRequest, ElicitationResult } from '../../protocol/elicitation.ts';
import type { SamplingRequest, SamplingResult } from '../../protocol/sampling.ts';

/** Context of a server's request to the host. */
export interface HostRequestContext {
  /** Name that the server reports; not proof of its identity. */
  readonly server: string;
  readonly signal: AbortSignal;
}

/** A directory or other location in which a server may work. */
export interface HostRoot {
  readonly uri: string;
  readonly name?: string;
}

/**
 * Answers requests from a server. A request without a callback is declined. Requests hold untrusted text from the
 * server, without hidden characters: ask the user.
 */
export interface ConnectionHost {
  /** Returns the locations in which the server may work. */
  readonly roots?: () => readonly HostRoot[] | Promise<readonly HostRoot[]>;
  /** Generates a model response for the server. */
  readonly sample?: (request: SamplingRequest, context: HostRequestContext) => Promise<SamplingResult>;
  /** Shows a form or a URL to the user. Never open a URL without showing all of it. */
  readonly elicit?: (request: ElicitationRequest, context: HostRequestContext) => Promise<ElicitationResult>;
}

/** Answers one request of the server. Rejects with an error that the server may see. */
export type AnswerServer = (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;
