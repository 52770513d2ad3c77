import type { Resource, ToolError, ToolResult } from '@haft/core';
import type { AgentResult } from '@haft/runner';

/** What a call, or reading from somewhere, came to: a resource, or why there is none. */
export type Answer = ResourceAnswer | FailedAnswer;

/** How an answer came about. */
export interface AnswerOrigin {
  /** The whole result, when a tool was called. */
  readonly result?: ToolResult;
  /** The whole run, when a prompt was. */
  readonly run?: AgentResult;
}

/** A resource, and how it came about. */
export interface ResourceAnswer extends Resource, AnswerOrigin {
  readonly ok: true;
}

/** A call that came to nothing: the error is for branching, the result or run says the rest. */
export interface FailedAnswer extends AnswerOrigin {
  readonly ok: false;
  readonly error: ToolError;
}

/** A resource as an answer. */
export function answerWith(resource: Resource, origin: AnswerOrigin = {}): ResourceAnswer {
  const { uri, name, description, type } = resource;
  return {
    ok: true,
    uri,
    name,
    type,
    ...(description === undefined ? {} : { description }),
    read: (signal) => resource.read(signal),
    ...origin,
  };
}

/** A failure as an answer. */
export function answerFailed(error: ToolError, origin: AnswerOrigin = {}): FailedAnswer {
  return { ok: false, error, ...origin };
}
