import { describeIssues } from '@haft/schema';
import { isThenable } from '../is-thenable.ts';
import { isToolResult } from './tool-result.ts';
import type { ContentPart } from '../contracts/results/content.ts';
import type { ToolError } from '../contracts/results/error.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import { jsonTextOf } from './json-text.ts';
import { remedyOf } from './denial-remedy.ts';

/**
 * Renders a result as text for a model: the content, then for a failure the message, every issue, the denial and the
 * hint, then the advisories. Renders an empty result as `(no output)`, since some vendors reject empty answers.
 * Replaces the message of a `host` fault with its `modelMessage`, or with one line without internals.
 *
 * @throws TypeError if the value is not a result, such as the promise that `dispatch` returns.
 */
export function renderForModel(result: ToolResult): string {
  if (!isToolResult(result))
    throw new TypeError(`renderForModel: result is not valid (expected a tool result, got ${nameOf(result)})`);
  const lines: string[] = [];
  if (!result.ok) lines.push(renderError(result));
  for (const part of result.content) lines.push(renderPart(part));
  for (const advisory of result.advisories) lines.push(`Note: ${advisory}`);
  const text = lines.filter((line) => line !== '').join('\n');
  return text === '' ? '(no output)' : text;
}

function nameOf(given: unknown): string {
  if (isThenable(given)) return 'a promise: await it first';
  if (Array.isArray(given)) return 'an array: render each result';
  return typeof given === 'object' && given !== null ? 'another object' : String(given);
}

function renderError(result: ToolResult & { readonly ok: false }): string {
  const { error } = result;
  const { code, fault, modelMessage } = error;
  const message = modelMessage ?? (fault === 'host' ? hostLine(result.name, code) : messageFor(error));
  const lines = [`Error ${code}: ${message}`];
  if (error.issues && error.issues.length > 0)
    lines.push(describeIssues(error.issues, { locale: error.locale ?? 'en' }));
  if (error.denial) {
    if (!error.message.includes(error.denial.reason)) lines.push(`Denied: ${error.denial.reason}`);
    if (error.denial.hint) lines.push(error.denial.hint);
  }
  if (error.hint) lines.push(error.hint);
  return lines.join('\n');
}

/** Returns the message without the remedy, which is only for the developer. */
function messageFor({ message, denial }: ToolError): string {
  const end = denial?.remedy === undefined ? '' : remedyOf(denial.remedy);
  return message.endsWith(end) ? message.slice(0, message.length - end.length) : message;
}

/** Returns the line that replaces the details of a `host` fault. */
function hostLine(name: string, code: string): string {
  return code === 'PERMISSION_ENGINE_FAILED'
    ? `permission for ${name} could not be decided, so it did not run; this is not your mistake.`
    : `the tool ${name === '' ? 'call' : name} failed internally; this is not your mistake.`;
}

/** Renders one content part as text. Binary data is described, not included. */
export function renderPart(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  try {
    if (part.type === 'json') return jsonTextOf(part);
    if (part.type === 'resource') {
      const { uri, type } = part.resource;
      return `[resource ${uri}${type === '' ? '' : ` (${type})`}]`;
    }
    return `[${part.type} ${part.mediaType}, ${part.data.byteLength} bytes]`;
  } catch {
    // The dispatcher has validated its own parts, but other values may be invalid.
    return '[not displayable]';
  }
}
