import type { ContentPart } from '../../contracts/results/content.ts';
import type { ToolError } from '../../contracts/results/error.ts';
import type { ToolResult } from '../../contracts/results/result.ts';
import { outputModeOf } from '../../define/tool-output-modes.ts';
import { describeCause } from '../../describe-cause.ts';
import { isThenable } from '../../is-thenable.ts';
import { dropPromise } from '../../notify-listener.ts';
import { jsonTextOf } from '../../results/json-text.ts';
import { readPart } from '../../results/read-result.ts';
import { failure, readReturned, toParts } from '../../results/tool-result.ts';
import type { CallRun } from '../call/call-run.ts';
import { cutMiddle } from '../call/cut-middle.ts';
import type { SpillText } from '../options/dispatcher-options.ts';
import { endEarly, EarlyEnd, raceCancellation, waitBounded, type Step } from '../call/early-end.ts';

/**
 * Converts the returned value into the result of the call: validates its shape and output schema, and limits its text.
 */
export function settle(run: CallRun): Step {
  const read = readReturned(run.call.id, run.call.name, run.returned);
  if (read.ok && run.tool!.output !== undefined && read.structured !== undefined) return settleChecked(run, read);
  return settleShown(run, read);
}

async function settleChecked(run: CallRun, read: ToolResult): Promise<EarlyEnd | undefined> {
  const error = await checkOutput(run, read);
  return settleShown(run, error ? { ...failure(run.call.id, error), effects: read.effects } : read);
}

function settleShown(run: CallRun, read: ToolResult): Step {
  const shown = run.tool!.renderModel ? present(run, read) : read;
  const result = shown instanceof EarlyEnd ? { ...failure(run.call.id, shown.error), effects: read.effects } : shown;
  if (sizeOf(result) > run.config.maxResultCharacters) return settleCut(run, result);
  run.result = result;
  return undefined;
}

/** Renders a structured result without content with the tool's `renderModel`, unless the model requested JSON. */
function present(run: CallRun, result: ToolResult): ToolResult | EarlyEnd {
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
    return endEarly('OUTPUT_INVALID', `renderModel of ${tool.name} failed: ${describeCause(cause)}`, { cause });
  }
}

async function settleCut(run: CallRun, result: ToolResult): Promise<EarlyEnd | undefined> {
  run.result = await bound(run, result);
  return undefined;
}

async function checkOutput(run: CallRun, result: ToolResult): Promise<ToolError | undefined> {
  const { name, output } = run.tool!;
  if (!result.ok || !output || result.structured === undefined) return undefined;
  const checking = (async () => {
    await output.ready();
    return output.validate(result.structured);
  })();
  const limits = { timeoutMs: run.timeoutMs };
  const received = await waitBounded(run, limits, checking, `checking the output of ${name}`);
  if (received instanceof EarlyEnd) return received.error;
  if (received.value.ok) return undefined;
  const { issues } = received.value;
  return endEarly('OUTPUT_INVALID', `${name} returned a value that violates its own output schema`, { issues }).error;
}

function sizeOf(result: ToolResult): number {
  let total = 0;
  for (const part of result.content) {
    if (part.type === 'text') total += part.text.length;
    else if (part.type === 'json') total += jsonTextOf(part).length;
  }
  return total;
}

/** Cuts text and JSON that are too long in the middle, and saves the full text if `spill` is set. */
async function bound(run: CallRun, result: ToolResult): Promise<ToolResult> {
  const { maxResultCharacters, spill } = run.config;
  const whole = result.content.flatMap(textOf).join('\n');
  const place = spill && (await keep(run, () => spill(whole, run.call.id)));
  const text = cutMiddle(whole, maxResultCharacters, place);
  const others = result.content.filter((part) => part.type !== 'text' && part.type !== 'json');
  return { ...result, content: [{ type: 'text', text }, ...others] };
}

function textOf(part: ContentPart): readonly string[] {
  if (part.type === 'text') return [part.text];
  return part.type === 'json' ? [jsonTextOf(part)] : [];
}

/** Returns where the full text is saved. If saving fails or times out, the text is cut anyway. */
async function keep(run: CallRun, spill: () => ReturnType<SpillText>): Promise<string | undefined> {
  try {
    const kept = await raceCancellation<unknown>(run, { timeoutMs: run.config.middlewareTimeoutMs }, spill());
    return typeof kept === 'object' && typeof kept.value === 'string' ? kept.value : undefined;
  } catch {
    return undefined;
  }
}
