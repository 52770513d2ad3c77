import type { ToolKind, ToolResult, ToolSnapshot } from '@haft/core';
import type { CompletedCall } from '@haft/runner';
import { showableLine } from './showable.ts';

/** A call and its answer, as the views need them. */
export interface ShownCall {
  readonly name: string;
  readonly kind: ToolKind;
  /** What it was about: a path, a pattern, a command; empty when the arguments name nothing of the kind. */
  readonly target: string;
  /** The textual form the call was written in, such as `hermes`; `undefined` for a structured call. */
  readonly envelope: string | undefined;
  /** The arguments as the model wrote them, where they were text that had to be repaired. */
  readonly written: string | undefined;
  readonly result: ToolResult;
}

/** What a view is made of. */
export interface ShownCallInput {
  readonly name: string;
  readonly arguments: unknown;
  readonly envelope?: string | undefined;
  readonly written?: unknown;
  readonly result: ToolResult;
}

/** Takes from a call and its answer what people look for first. The snapshot tells the tool's kind. */
export function showCall(input: ShownCallInput, snapshot: ToolSnapshot): ShownCall {
  const { name, result, envelope } = input;
  const args = result.arguments?.value ?? input.arguments;
  const isRepaired = (result.arguments?.repairs.length ?? 0) > 0;
  const written = isRepaired && typeof input.written === 'string' ? input.written : undefined;
  return { name, kind: snapshot.get(name)?.kind ?? 'other', target: targetOf(args), envelope, written, result };
}

/** The same for a call that the loop has made. */
export function showCompletedCall(completed: CompletedCall, snapshot: ToolSnapshot): ShownCall {
  const { call, envelope, written, result } = completed;
  return showCall({ name: call.name, arguments: call.arguments, envelope, written, result }, snapshot);
}

/** Argument names that say what a call is about, the most telling first. */
const telling = ['command', 'pattern', 'path', 'file_path', 'url', 'query', 'name', 'message'];

function targetOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  const values = args as Readonly<Record<string, unknown>>;
  const found = telling.map((key) => values[key]).find((value) => typeof value === 'string' && value !== '');
  if (typeof found === 'string') return showableLine(found, 60);
  const plain = Object.entries(values).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  return showableLine(plain.map(([key, value]) => `${key} ${String(value)}`).join(', '), 60);
}
