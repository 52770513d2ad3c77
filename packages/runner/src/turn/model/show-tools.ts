import {
  asCallableTools,
  asModelTool,
  findNearestNames,
  toolError,
  type ModelTool,
  type ToolSnapshot,
} from '@haft/core';
import { filterSnapshot, findUnknownPatterns } from '@haft/core/registry';
import { describeCause } from '@haft/core/results';
import { untilAborted } from '../../abortable.ts';
import { outputToolName } from '../../output/output-tool.ts';
import { emit, report, type RunEnd, type RunState } from '../../run/run-state.ts';

/** The tools of one turn. */
export interface ShownTools {
  readonly snapshot: ToolSnapshot;
  /** Tools sent with the request. Empty after the limit. */
  readonly offered: readonly ModelTool[];
  /** Tools for parsing calls in text. */
  readonly readable: ReturnType<typeof asCallableTools>;
  /** False after the limit and in the answer phase. Calls are then not run. */
  readonly mayCall: boolean;
  /** The output tool, if only this tool may be called. */
  readonly requiredTool?: string;
}

/** Reads the visible tools. Ends the run if that fails or a required tool is missing. */
export async function showTools(run: RunState, turn: number): Promise<ShownTools | RunEnd> {
  const { model, allow, requiredTools = [] } = run.options;
  const { signal } = run;
  if (signal?.aborted) return { stopReason: 'aborted' };
  let visible: ToolSnapshot;
  try {
    visible = await untilAborted(signal, run.source.visibleTo(model));
  } catch (cause) {
    if (signal?.aborted) return { stopReason: 'aborted' };
    const reason = describeCause(cause);
    const error = toolError('TOOL_UNAVAILABLE', `the tools could not be listed: ${reason}`, { fault: 'host', cause });
    return { stopReason: 'error', error };
  }
  const snapshot = run.restrict(visible);
  if (turn === 1) {
    reportUnknown(run, allow?.tools ?? [], visible);
    reportUnknownModels(run);
    reportDroppedOptions(run);
  }
  const missing = requiredTools.filter((name) => !snapshot.has(name));
  if (missing.length > 0) {
    const message = `required but not available: ${missing.join(', ')}`;
    return { stopReason: 'tool-unavailable', error: toolError('TOOL_UNAVAILABLE', message, { details: { missing } }) };
  }
  const mayCall = run.meter.reached === undefined && run.output?.phase !== 'answer';
  if (!mayCall && run.output?.tool) return onlyOutputTool(run, turn, snapshot);
  const described = describe(snapshot);
  emit(run, { type: 'turn-start', turn, tools: mayCall ? snapshot.names : [] });
  const readable = run.output?.phase === 'answer' ? [] : described.readable;
  return { snapshot, offered: mayCall ? described.offered : [], readable, mayCall };
}

/** At the limit, the model may only submit its answer. */
function onlyOutputTool(run: RunState, turn: number, shown: ToolSnapshot): ShownTools {
  const snapshot = filterSnapshot(shown, ({ name }) => name === outputToolName);
  emit(run, { type: 'turn-start', turn, tools: snapshot.names });
  return { snapshot, ...describe(snapshot), mayCall: false, requiredTool: outputToolName };
}

/** Tools may be added later, so an unknown name is a diagnostic instead of an error. */
function reportUnknown(run: RunState, allowed: readonly string[], visible: ToolSnapshot): void {
  for (const name of allowed) {
    if (visible.has(name)) continue;
    const [nearest] = findNearestNames(name, visible.names, 1);
    const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    const message = `allow.tools: ${JSON.stringify(name)} is not available${advice}`;
    report(run, { kind: 'unknown-tool', turn: 0, message });
  }
}

/** Reports patterns of `supportedModels` that are probably misspelled, because they hide a tool. */
function reportUnknownModels(run: RunState): void {
  try {
    for (const tool of run.restrict(run.source.snapshot()).tools) {
      const message = tool.supportedModels && findUnknownPatterns(tool, run.options.model);
      if (message !== undefined) report(run, { kind: 'unknown-model', turn: 0, message });
    }
  } catch {
    // Ignored, because a source that fails to list all of its tools can still show some.
  }
}

/** Reports options that the model does not pass on. */
function reportDroppedOptions(run: RunState): void {
  const { model } = run.options;
  for (const name of ['thinking', 'thinkingBudget'] as const) {
    if (run.options[name] === undefined || model.supports?.includes(name)) continue;
    const message = `${name} was dropped, because the model ${model.name} does not support it`;
    report(run, { kind: 'option-dropped', turn: 0, message });
  }
}

type Described = Pick<ShownTools, 'offered' | 'readable'>;

/** Cached, because most turns show the same tools as the previous one. */
const descriptions = new WeakMap<ToolSnapshot, Described>();

function describe(snapshot: ToolSnapshot): Described {
  const known = descriptions.get(snapshot);
  if (known) return known;
  const described = { offered: snapshot.tools.map(asModelTool), readable: asCallableTools(snapshot) };
  descriptions.set(snapshot, described);
  return described;
}
