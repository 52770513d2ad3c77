import { isToolError, type Resource } from '@haft/core';
import { ToolkitError } from '../toolkit-error.ts';
import type { Answer } from '../answer.ts';

/**
 * Returns the resource of an answer, for programs that cannot handle a failure.
 * @throws ToolkitError `CALL_FAILED`, with the answer's error as `cause`. For a promise, the returned promise rejects
 * with this error.
 */
export function unwrap(answer: Answer): Resource;
export function unwrap(answer: Promise<Answer>): Promise<Resource>;
export function unwrap(answer: Answer | Promise<Answer>): Resource | Promise<Resource> {
  return answer instanceof Promise ? answer.then(resourceOf) : resourceOf(answer);
}

function resourceOf(answer: Answer): Resource {
  if (typeof answer?.ok !== 'boolean' || (!answer.ok && !isToolError(answer.error)))
    throw new ToolkitError('BAD_PARAMETER', 'unwrap: the argument must be the result of call or read');
  if (answer.ok) return answer;
  const { code, message, issues = [], hint } = answer.error;
  const more = [...issues.slice(0, 5).map((issue) => issue.message), ...(hint === undefined ? [] : [hint])];
  const received = more.length === 0 ? message : `${message.replace(/\.$/, '')}. ${more.join(' ')}`;
  throw new ToolkitError('CALL_FAILED', `${code}: ${received}`, { cause: answer.error });
}
