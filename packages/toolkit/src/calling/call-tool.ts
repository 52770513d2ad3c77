import {
  createIdSource,
  renderForModel,
  toolError,
  type CallContext,
  type ToolResult,
  type ToolSource,
} from '@haft/core';
import { describeCause } from '@haft/core/results';
import { data } from '../resources/data.ts';
import { json } from '../resources/json.ts';
import { text } from '../resources/text.ts';
import { readText } from '../resources/read-content.ts';
import { answerFailed, answerWith, type Answer } from '../answer.ts';
import { readInputs, type CallInput } from './read-inputs.ts';

const nextCallId = createIdSource('call');

/**
 * Runs a tool through the pipeline of every call: validation, permissions and limits. Missing arguments are validated
 * too.
 */
export async function callTool(
  source: ToolSource,
  name: string,
  inputs: readonly CallInput[],
  context: CallContext,
): Promise<Answer> {
  const { main, others } = readInputs(inputs, 'tool');
  let args: string | undefined;
  try {
    args = main && (await readText(main, context.signal));
  } catch (cause) {
    return answerFailed(toolError('READ_ERROR', `the arguments of ${name} could not be read: ${describeCause(cause)}`));
  }
  const call = { id: nextCallId(), name, arguments: args ?? '', stopped: 'stop' } as const;
  const resources = [...(context.resources ?? []), ...others];
  return toAnswer(await source.dispatch(call, { ...context, resources }));
}

/**
 * Converts a result to a resource. Structured content becomes JSON. A single resource or image is returned as such.
 * Everything else becomes text.
 */
export function toAnswer(result: ToolResult): Answer {
  if (!result.ok) return answerFailed(result.error, { result });
  const { name, callId, structured, content } = result;
  const uri = `result:${encodeURIComponent(callId)}`;
  if (structured !== undefined) return answerWith(json(name, structured, { uri }), { result });
  const [only] = content.length === 1 ? content : [];
  if (only?.type === 'resource') return answerWith(only.resource, { result });
  if (only?.type === 'image' || only?.type === 'audio')
    return answerWith(data(name, only.data, { uri, type: only.mediaType }), { result });
  return answerWith(text(name, content.length === 0 ? '' : renderForModel(result), { uri }), { result });
}
