import { isDeepStrictEqual } from 'node:util';
import { allowAll, createDispatcher, renderForModel, ToolRegistry, type AnyTool, type ToolResult } from '@haft/core';
import type { ToolExample } from '../../catalog/tool-draft.ts';

/** The outcome of an example. */
export interface ExampleOutcome {
  /** Index in the list, starting at 0. */
  readonly index: number;
  readonly passed: boolean;
  /** The actual result or the failure. Empty if the example passed. */
  readonly reason: string;
}

const timeoutMs = 20_000;
const maxReason = 600;

/**
 * Runs a tool's examples and compares the results: JSON with JSON, text with text. The calls use the normal dispatcher
 * without asking for permission, because the tool's process limits what they may do.
 */
export async function runExamples(
  tool: AnyTool,
  examples: readonly ToolExample[],
  signal?: AbortSignal,
): Promise<readonly ExampleOutcome[]> {
  const dispatcher = createDispatcher({ registry: new ToolRegistry({ tools: [tool] }), permission: allowAll });
  const outcomes: ExampleOutcome[] = [];
  for (const [index, example] of examples.entries()) {
    const call = { id: `example-${index}`, name: tool.name, arguments: example.arguments };
    const result = await dispatcher.dispatch(call, { timeoutMs, ...(signal && { signal }) });
    const reason = findDifference(example, result);
    outcomes.push({ index, passed: reason === undefined, reason: reason ?? '' });
  }
  return outcomes;
}

function findDifference({ expected }: ToolExample, result: ToolResult): string | undefined {
  if (!result.ok) return renderForModel(result).slice(0, maxReason);
  if (expected === undefined) return undefined;
  const answers = result.structured === undefined ? [textOf(result)] : [result.structured, textOf(result)];
  if (answers.some((answer) => isDeepStrictEqual(plain(answer), expected))) return undefined;
  return `expected ${show(expected)}, got ${show(answers[0])}`;
}

function textOf({ content }: ToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Compares values as JSON would: ignores members that are `undefined`, and prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > maxReason / 3 ? `${text.slice(0, maxReason / 3)}…` : text;
}
