import type { AnyTool, Availability } from '../../contracts/tools/tool.ts';
import { findNearestNames } from '../../names/nearest-names.ts';
import { supportsModel } from '../../registry/supports-model.ts';
import type { CallRun } from '../call/call-run.ts';
import type { CallOptions } from '../call/read-call.ts';
import { endEarly, EarlyEnd, type Step, waitBounded } from '../call/early-end.ts';

/** Finds the tool that the model meant. Looks in the snapshot that the model was shown first, which may be outdated. */
export function resolve(run: CallRun): Step {
  const { call, options, config, snapshot } = run;
  const shown = snapshot.get(call.name);
  const tool = shown ?? snapshot.unavailable?.(call.name);
  if (!tool || (tool.supportedModels && !options.isShown && !supportsModelOf(tool, options))) {
    return notFound(call.name, snapshot.names);
  }
  run.tool = tool;
  run.foundIn = snapshot;
  if (!tool.available || config.unavailable === 'execute') return undefined;
  if (config.unavailable === 'grace' && options.isShown && shown) return undefined;
  const answer = config.registry.checkTool(tool);
  return answer instanceof Promise ? judgeLater(run, tool, answer) : judge(tool, answer);
}

function judge(tool: AnyTool, answer: Availability): EarlyEnd | undefined {
  return answer === true ? undefined : unavailable(tool, answer);
}

/** Waits for the answer, which the registry limits, or until the call is cancelled. */
async function judgeLater(run: CallRun, tool: AnyTool, answer: Promise<Availability>): Promise<EarlyEnd | undefined> {
  const timeoutMs = run.config.middlewareTimeoutMs;
  const outcome = await waitBounded(run, { timeoutMs }, answer, `the availability of ${tool.name}`);
  return outcome instanceof EarlyEnd ? outcome : judge(tool, outcome.value);
}

/** Checks whether a tool supports the model of the context, like every list. Without a model, all tools are supported. */
function supportsModelOf(tool: AnyTool, { given, modelName }: CallOptions): boolean {
  if (given.model) return supportsModel(tool, given.model);
  return modelName === '' || supportsModel(tool, { name: modelName });
}

function notFound(name: string, known: readonly string[]): EarlyEnd {
  if (name === '') {
    return endEarly('TOOL_NOT_FOUND', 'the call names no tool; expected { id, name, arguments }', {
      hint: 'Name the tool to call.',
      details: { nearest: [] },
    });
  }
  const nearest = findNearestNames(name, known);
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  const hint =
    nearest.length > 0
      ? `Did you mean ${nearest.join(', ')}? Use the exact name of a tool that you were given.`
      : known.length === 0
        ? 'No tool is available; answer with text.'
        : `Use the exact name of a tool that you were given: ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`;
  return endEarly('TOOL_NOT_FOUND', `there is no tool named ${JSON.stringify(shown)}`, { hint, details: { nearest } });
}

function unavailable(tool: AnyTool, { reason, retryable = true }: Exclude<Availability, true>): EarlyEnd {
  return endEarly('TOOL_UNAVAILABLE', `${tool.name} is not available now: ${reason}`, {
    retryable,
    hint: 'Use another tool, or continue without it.',
    details: { reason },
  });
}
