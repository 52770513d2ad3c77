import { compileCommandPattern } from '../rules/command-pattern.ts';
import { isRecord, showValue } from '@haft/core/options';
import { PermissionError } from '../permission-error.ts';
import type { PermissionAnswer, PermissionQuestion } from './permission-question.ts';

/**
 * Validates an answer to a question, such as the value that the `ask` callback returned or the body of a request.
 * Unknown members are dropped.
 *
 * @throws PermissionError `INVALID_ANSWER`, naming what was expected.
 */
export function checkPermissionAnswer(
  answer: unknown,
  question: Pick<PermissionQuestion, 'command'>,
): PermissionAnswer {
  const given = isRecord(answer) ? answer : {};
  const { action, scope, forMs, command } = given;
  if (action === 'deny') return typeof given['reason'] === 'string' ? { action, reason: given['reason'] } : { action };
  if (action !== 'allow') {
    throw refuse(
      `is neither allow nor deny (expected { action: "allow", scope?: "once" | "session" | "always", forMs?, command? } or { action: "deny", reason? }, got ${showValue(answer)})`,
    );
  }
  if (!(scope === undefined || scope === 'once' || scope === 'session' || scope === 'always'))
    throw refuse(`has scope: ${showValue(scope)} (expected "once", "session" or "always")`);
  const isKept = scope === 'session' || scope === 'always';
  if (forMs !== undefined && !(isKept && typeof forMs === 'number' && forMs > 0 && Number.isFinite(forMs))) {
    throw refuse(`has forMs: ${showValue(forMs)} (expected milliseconds above 0, with the scope session or always)`);
  }
  if (command !== undefined && !(isKept && typeof command === 'string' && fits(command, question.command))) {
    throw refuse(
      `has command: ${showValue(command)} (expected a pattern that begins with a program and matches the command in question, with the scope session or always)`,
    );
  }
  return {
    action,
    ...(scope === undefined ? {} : { scope }),
    ...(forMs === undefined ? {} : { forMs }),
    ...(command === undefined ? {} : { command }),
  };
}

function refuse(what: string): PermissionError {
  return new PermissionError('INVALID_ANSWER', `the answer to the question ${what}`);
}

/** Returns whether a pattern starts with a program name and matches the command line that the user saw. */
function fits(pattern: string, line: string | undefined): boolean {
  if (line === undefined || /^\s*\S*[*?[\]{}]/.test(pattern)) return false;
  try {
    return compileCommandPattern(pattern).fitsAlone(line);
  } catch {
    return false;
  }
}
