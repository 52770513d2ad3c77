import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';
import { findQuotes } from '@haft/core/quotes';
import { allEnvelopes, type CallableTool, type ExtractedCall, type ExtractOptions } from '@haft/repair/calls';
import { generateId } from 'ai';
import { fromAiSdkMessages } from '../messages/ai-sdk-messages.ts';

/** Part of a text: prose, or a call that may run. */
export type TextSegment = { readonly type: 'text'; readonly text: string } | LanguageModelV4ToolCall;

/** Why the model stopped, as the readers of calls distinguish it. */
export type Stopped = 'stop' | 'length';

/** Reads the calls in the texts of one response. */
export interface TextCallReader {
  /** Options of `extractToolCalls` and `createToolCallStream`. */
  readonly options: ExtractOptions;
  /**
   * Splits a text, from an offset on, at its calls that may run. Other calls remain text. Returns undefined if no call may
   * run.
   */
  split(
    text: string,
    from: number,
    calls: readonly ExtractedCall[],
    stopped: Stopped,
  ): readonly TextSegment[] | undefined;
}

/** Finish reason of a response in which calls were found. The raw reason remains that of the provider. */
export function withCalls({ raw }: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
  return { unified: 'tool-calls', raw };
}

/** Returns whether the model stopped by itself. Undefined if the response failed. An unknown reason counts as truncated. */
export function stoppedBy({ unified }: LanguageModelV4FinishReason): Stopped | undefined {
  if (unified === 'error') return undefined;
  return unified === 'stop' || unified === 'tool-calls' ? 'stop' : 'length';
}

/** Creates the reader for a request. Returns undefined if the model may not call tools. */
export function createTextCallReader(params: LanguageModelV4CallOptions): TextCallReader | undefined {
  const tools = (params.tools ?? []).flatMap((tool): readonly CallableTool[] =>
    tool.type === 'function' ? [{ name: tool.name, parameters: { ...tool.inputSchema } }] : [],
  );
  if (tools.length === 0 || params.toolChoice?.type === 'none') return undefined;
  const isQuoted = findQuotes(fromAiSdkMessages(params.prompt), tools);
  // Requested JSON is an answer, even if it has the members of a call. Calls in tags and special tokens are not JSON.
  const isJson = params.responseFormat?.type === 'json';
  const envelopes = isJson ? allEnvelopes.filter(({ tier }) => tier < 3) : allEnvelopes;
  return {
    options: { tools, envelopes },
    split: (text, from, calls, stopped) => {
      const runnable = calls.filter((call) => isCertain(call, stopped) && !isQuoted(call, text));
      return runnable.length === 0 ? undefined : splitAt(text, from, runnable);
    },
  };
}

/**
 * Returns whether a call may run, whatever its tool does: its arguments are closed, and if the output was cut, they have
 * only one reading.
 */
function isCertain({ complete, risk }: ExtractedCall, stopped: Stopped): boolean {
  return complete && (stopped === 'stop' || risk !== 'lossy');
}

function splitAt(text: string, from: number, calls: readonly ExtractedCall[]): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  const addText = (segment: string): void => {
    if (segment.trim() !== '') segments.push({ type: 'text', text: segment });
  };
  let at = from;
  for (const { name, arguments: args, start, end } of calls) {
    // Calls of one envelope share its range.
    if (start >= at) addText(text.slice(at, start));
    at = Math.max(at, end);
    const input = JSON.stringify(args);
    segments.push({ type: 'tool-call', toolCallId: `call_${generateId()}`, toolName: name, input });
  }
  addText(text.slice(at));
  return segments;
}
