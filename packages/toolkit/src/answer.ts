import type { Resource, ToolError, ToolResult } from '@haft/core';
import type { AgentResult } from '@haft/runner';

/** The outcome of a call or of a resource lookup: a resource, or an error. */
export type Answer = ResourceAnswer | FailedAnswer;

/** The source of an answer. */
export interface AnswerOrigin {
  /** The complete result, if a tool was called. */
  readonly result?: ToolResult;
  /** The complete run, if a prompt was run. */
  readonly run?: AgentResult;
}

/** A successful answer: a resource and its source. */
export interface ResourceAnswer extends Resource, AnswerOrigin {
  readonly ok: true;
}

/** A failed call. Branch on `error`; `result` or `run` contains the details. */
export interface FailedAnswer extends AnswerOrigin {
  readonly ok: false;
  readonly error: ToolError;
}

/** Creates a successful answer from a resource. */
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

/** Creates a failed answer from an error. */
export function answerFailed(error: ToolError, origin: AnswerOrigin = {}): FailedAnswer {
  return { ok: false, error, ...origin };
}
