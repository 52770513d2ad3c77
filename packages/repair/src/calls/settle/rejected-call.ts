import type { CallableTool, TextSpan } from '../contract/envelope.ts';
import type { RejectedCall, RejectReason } from '../contract/extraction.ts';
import { shapeOf } from '../contract/argument-shape.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';

const sampleByType: Readonly<Record<string, string>> = {
  string: '"…"',
  integer: '1',
  number: '1.5',
  boolean: 'true',
  array: '[]',
  object: '{}',
  null: 'null',
};

const maxNameLength = 80;
const maxKeys = 6;

/** Creates the report of text that looks like a call but is not one. */
export function rejectedCall(
  tools: readonly CallableTool[],
  reason: RejectReason,
  { start, end }: TextSpan,
  name: string | undefined,
): RejectedCall {
  const tool = resolveName(tools, name);
  const known = tool?.name ?? name;
  return { reason, start, end, hint: hintFor(reason, known, tool), ...(known !== undefined && { name: known }) };
}

function hintFor(why: RejectReason, name: string | undefined, tool: CallableTool | undefined): string {
  const reason = why === 'mentioned' && tool === undefined ? 'unknown_tool' : why;
  const call = name === undefined ? 'the call' : `the call of ${name.slice(0, maxNameLength)}`;
  const example = tool === undefined ? '' : `, for example ${exampleOf(tool)}`;
  switch (reason) {
    case 'incomplete':
      return `Send ${call} again in full, with every value written out${example}.`;
    case 'unknown_tool':
      return `Call one of the tools that were offered instead of ${name === undefined ? 'this one' : name.slice(0, maxNameLength)}.`;
    case 'invalid_json':
      return name === undefined
        ? 'Send the call again with the name of the tool and one JSON object: {"name": "…", "arguments": {…}}.'
        : `Send ${call} again with arguments that are one JSON object${example}.`;
    case 'invalid_arguments':
      return `Send ${call} again with ${requiredOf(tool)}${example}.`;
    case 'repeated':
      return `Send ${call} once; it has been made already.`;
    default:
      return `If ${call} was meant, send it alone and without anything around it${example}.`;
  }
}

function requiredOf(tool: CallableTool | undefined): string {
  const { required = [] } = shapeOf(tool) ?? {};
  return required.length === 0 ? 'an object of arguments' : `a value for ${required.slice(0, maxKeys).join(', ')}`;
}

function exampleOf(tool: CallableTool): string {
  const shape = shapeOf(tool);
  const members = (shape?.required ?? []).slice(0, maxKeys).map((key) => {
    const [kind = 'string'] = shape?.member(key)?.kinds ?? [];
    return `${JSON.stringify(key)}: ${sampleByType[kind] ?? sampleByType['string']}`;
  });
  return `{"name": ${JSON.stringify(tool.name)}, "arguments": {${members.join(', ')}}}`;
}
