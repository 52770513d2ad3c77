import type { ToolKind, ToolResult, ToolSnapshot } from '@haft/core';
import type { CompletedCall } from '@haft/runner';
import { showableLine } from './showable.ts';

/** A call and its result, for views. */
export interface ShownCall {
  readonly name: string;
  readonly kind: ToolKind;
  /** What the call is about: a path, a pattern, a command; empty if unknown. */
  readonly target: string;
  /** The textual format of the call, such as `hermes`; `undefined` for a structured call. */
  readonly envelope: string | undefined;
  /** The arguments as the model wrote them, if they were repaired. */
  readonly written: string | undefined;
  readonly result: ToolResult;
}

/** Input of {@link showCall}. */
export interface ShownCallInput {
  readonly name: string;
  readonly arguments: unknown;
  readonly envelope?: string | undefined;
  readonly written?: unknown;
  readonly result: ToolResult;
}

/** Extracts what users look for first from a call and its result. The snapshot gives the tool's kind. */
export function showCall(input: ShownCallInput, snapshot: ToolSnapshot): ShownCall {
  const { name, result, envelope } = input;
  const args = result.arguments?.value ?? input.arguments;
  const isRepaired = (result.arguments?.repairs.length ?? 0) > 0;
  const written = isRepaired && typeof input.written === 'string' ? input.written : undefined;
  return { name, kind: snapshot.get(name)?.kind ?? 'other', target: targetOf(args), envelope, written, result };
}

/** The same for a completed call of the loop. */
export function showCompletedCall(completed: CompletedCall, snapshot: ToolSnapshot): ShownCall {
  const { call, envelope, written, result } = completed;
  return showCall({ name: call.name, arguments: call.arguments, envelope, written, result }, snapshot);
}

/** Argument names that show what a call is about, most important first. */
const telling = ['command', 'pattern', 'path', 'file_path', 'url', 'query', 'name', 'message'];

function targetOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  const values = args as Readonly<Record<string, unknown>>;
  const found = telling.map((key) => values[key]).find((value) => typeof value === 'string' && value !== '');
  if (typeof found === 'string') return showableLine(found, 60);
  const plain = Object.entries(values).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  return showableLine(plain.map(([key, value]) => `${key} ${String(value)}`).join(', '), 60);
}
