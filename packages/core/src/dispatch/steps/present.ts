import type { ToolResult } from '../../contracts/results/result.ts';
import { describeCause } from '../../describe-cause.ts';
import { isThenable } from '../../is-thenable.ts';
import { outputModeOf } from '../../define/output-modes.ts';
import { readPart } from '../../results/read-result.ts';
import { toParts } from '../../results/tool-result.ts';
import { dropPromise } from '../../notify-listener.ts';
import type { CallRun } from '../call/call-run.ts';
import { stop, type Stop } from '../call/stop.ts';

/** Renders a structured result without content with the tool's `renderModel`, unless the model requested JSON. */
export function present(run: CallRun, result: ToolResult): ToolResult | Stop {
  const tool = run.tool!;
  if (!result.ok || result.structured === undefined) return result;
  const { content, structured } = result;
  const isBare =
    content.length === 0 || (content.length === 1 && content[0]?.type === 'json' && content[0].value === structured);
  if (!isBare) return result;
  if (tool.outputModes && outputModeOf(run.args) === 'json') {
    return { ...result, content: [{ type: 'json', value: structured }] };
  }
  try {
    const words = tool.renderModel!(structured, run.args);
    if (isThenable(words)) {
      dropPromise(words);
      throw new TypeError('it returned a promise');
    }
    return { ...result, content: toParts(words).map(readPart) };
  } catch (cause) {
    return stop('OUTPUT_INVALID', `renderModel of ${tool.name} failed: ${describeCause(cause)}`, { cause });
  }
}
