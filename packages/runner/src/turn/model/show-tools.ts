import { asModelTool, findNearestNames, toolError, type ModelTool, type ToolSnapshot } from '@haft/core';
import { filterSnapshot } from '@haft/core/registry';
import { describeCause } from '@haft/core/results';
import { untilAborted } from '../../abortable.ts';
import { outputToolName } from '../../output/output-tool.ts';
import { emit, report, type RunEnd, type RunState } from '../../run/run-state.ts';

/** The tools of one turn. */
export interface ShownTools {
  readonly snapshot: ToolSnapshot;
  /** What the request carries: nothing in the turn after the limit. */
  readonly offered: readonly ModelTool[];
  /** What calls in text are read with. */
  readonly readable: readonly { readonly name: string; readonly parameters: ModelTool['inputSchema'] }[];
  /** False in the turn after the limit, and where only the answer's shape is left to give: its calls are not run. */
  readonly mayCall: boolean;
  /** The one tool that is called all the same: the one for handing in the answer. */
  readonly requiredTool?: string;
}

/** Asks what the model may be shown now; ends the run when that fails or a required tool is missing. */
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
  if (turn === 1) reportUnknown(run, allow?.tools ?? [], visible);
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

/** At the limit the answer can still be handed in, and nothing else be done. */
function onlyOutputTool(run: RunState, turn: number, shown: ToolSnapshot): ShownTools {
  const snapshot = filterSnapshot(shown, ({ name }) => name === outputToolName);
  emit(run, { type: 'turn-start', turn, tools: snapshot.names });
  return { snapshot, ...describe(snapshot), mayCall: false, requiredTool: outputToolName };
}

/** Tools come and go, so that a name nobody has is a remark and no error. */
function reportUnknown(run: RunState, allowed: readonly string[], visible: ToolSnapshot): void {
  for (const name of allowed) {
    if (visible.has(name)) continue;
    const [nearest] = findNearestNames(name, visible.names, 1);
    const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    const message = `allow.tools names ${JSON.stringify(name)}, which is not there now${advice}`;
    report(run, { kind: 'unknown-tool', turn: 0, message });
  }
}

type Described = Pick<ShownTools, 'offered' | 'readable'>;

/** Descriptions of snapshots already seen, since most turns show the same tools as the one before. */
const descriptions = new WeakMap<ToolSnapshot, Described>();

function describe(snapshot: ToolSnapshot): Described {
  const known = descriptions.get(snapshot);
  if (known) return known;
  const offered = snapshot.tools.map(asModelTool);
  const described = { offered, readable: offered.map(({ name, inputSchema }) => ({ name, parameters: inputSchema })) };
  descriptions.set(snapshot, described);
  return described;
}
