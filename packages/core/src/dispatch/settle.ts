import type { ContentPart } from '../contracts/content.ts';
import type { ToolError } from '../contracts/error.ts';
import type { ToolResult } from '../contracts/result.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { failure } from '../results/tool-result.ts';
import { wrapReturn } from '../results/wrap-return.ts';
import type { CallRun } from './call-run.ts';
import { cutMiddle } from './cut-middle.ts';
import { reject, Rejection } from './rejection.ts';

/** Makes the call's one result of what came back: its shape and output schema checked, its text bounded, stamped. */
export async function settle(run: CallRun, tool: AnyTool, returned: unknown): Promise<ToolResult> {
  if (returned instanceof Rejection) return told(tool, run, refuse(run, returned.error));
  let result: ToolResult;
  try {
    result = wrapReturn(run.call.id, returned);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    return told(
      tool,
      run,
      refuse(
        run,
        reject('OUTPUT_INVALID', `${tool.name} returned what no result can carry: ${message}`, { cause }).error,
      ),
    );
  }
  if (result.ok && tool.output && result.structured !== undefined) {
    await tool.output.ready();
    const checked = await tool.output.validate(result.structured);
    if (!checked.ok) {
      const { issues } = checked;
      const { error } = reject('OUTPUT_INVALID', `${tool.name} returned what its own output schema refuses`, {
        issues,
      });
      return told(tool, run, stamp(run, { ...failure(run.call.id, error), effects: result.effects }));
    }
  }
  const content = isOversized(result.content, run.parts.maxResultCharacters)
    ? await bound(run, result.content)
    : result.content;
  const stamped = stamp(run, content === result.content ? result : { ...result, content });
  return stamped.ok ? stamped : told(tool, run, stamped);
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
