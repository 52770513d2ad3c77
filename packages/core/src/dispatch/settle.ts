import type { ContentPart } from '../contracts/content.ts';
import type { ToolError } from '../contracts/error.ts';
import type { ToolResult } from '../contracts/result.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { failure } from '../results/tool-result.ts';
import { wrapReturn } from '../results/wrap-return.ts';
import type { CallRun } from './call-run.ts';
import { cutMiddle } from './cut-middle.ts';
import { waitBounded } from './race-cancellation.ts';
import { reject, Rejection } from './rejection.ts';

/** Makes the call's one result of what came back: its shape and output schema checked, its text bounded, stamped. */
export function settle(run: CallRun, tool: AnyTool, returned: unknown): ToolResult | Promise<ToolResult> {
  if (returned instanceof Rejection) return told(tool, run, refuse(run, returned.error));
  let result: ToolResult;
  try {
    result = wrapReturn(run.call.id, returned);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const { error } = reject('OUTPUT_INVALID', `${tool.name} returned what no result can carry: ${message}`, { cause });
    return told(tool, run, refuse(run, error));
  }
  const mustCheck = result.ok && tool.output !== undefined && result.structured !== undefined;
  if (mustCheck || isOversized(result.content, run.parts.maxResultCharacters)) return settleSlowly(run, tool, result);
  return told(tool, run, stamp(run, result));
}

/** The parts of settling that have to wait: an output schema, and text that is cut and kept elsewhere. */
async function settleSlowly(run: CallRun, tool: AnyTool, result: ToolResult): Promise<ToolResult> {
  if (result.ok && tool.output && result.structured !== undefined) {
    await tool.output.ready();
    const checking = Promise.resolve(tool.output.validate(result.structured));
    const checked = await waitBounded(
      run,
      { timeoutMs: tool.timeoutMs },
      checking,
      `checking the output of ${tool.name}`,
    );
    const error =
      checked instanceof Rejection
        ? checked.error
        : checked.ok
          ? undefined
          : reject('OUTPUT_INVALID', `${tool.name} returned what its own output schema refuses`, {
              issues: checked.issues,
            }).error;
    if (error) return told(tool, run, stamp(run, { ...failure(run.call.id, error), effects: result.effects }));
  }
  if (!isOversized(result.content, run.parts.maxResultCharacters)) return told(tool, run, stamp(run, result));
  return told(tool, run, stamp(run, { ...result, content: await bound(run, result.content) }));
}

/** A failure that came before the body ran, or instead of its answer. */
export function refuse(run: CallRun, error: ToolError): ToolResult {
  return stamp(run, failure(run.call.id, error));
}

function stamp(run: CallRun, result: ToolResult): ToolResult {
  const { advisories, report } = run;
  return {
    ...result,
    callId: run.call.id,
    name: run.call.name,
    advisories: advisories.length === 0 ? result.advisories : [...result.advisories, ...advisories],
    ...(report === undefined ? {} : { arguments: report }),
    startedAt: run.bodyStartedAt ?? run.startedAt,
    durationMs: run.parts.workspace.now() - (run.bodyStartedAt ?? run.startedAt),
  };
}

/** Lets the tool hear of its failure; what it throws is dropped. */
function told(tool: AnyTool, run: CallRun, result: ToolResult): ToolResult {
  if (!result.ok && tool.onFailure) {
    try {
      tool.onFailure(result, run.args);
    } catch {
      // The failure stands whatever its listener does.
    }
  }
  return result;
}

function isOversized(content: readonly ContentPart[], limit: number): boolean {
  let total = 0;
  for (const part of content) if (part.type === 'text') total += part.text.length;
  return total > limit;
}

async function bound(run: CallRun, content: readonly ContentPart[]): Promise<readonly ContentPart[]> {
  const { maxResultCharacters, spill } = run.parts;
  const texts = content.filter((part) => part.type === 'text');
  const whole = texts.map((part) => part.text).join('\n');
  let place: string | undefined;
  try {
    place = await spill?.(whole, run.call.id);
  } catch {
    // Without a place the text is cut all the same.
  }
  const text = cutMiddle(whole, maxResultCharacters, place);
  return [{ type: 'text', text }, ...content.filter((part) => part.type !== 'text')];
}
