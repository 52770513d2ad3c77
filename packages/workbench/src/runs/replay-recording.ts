import { asJson, cutText } from '../contract/as-json.ts';
import type { ReplayView, RunEdit } from '../contract/run-data.ts';
import { editRecording } from './edit-recording.ts';
import { listSteps, type RecordedLine } from './recording.ts';

/** Replays a recording. `replayRun` of `@haft/runner` has this shape. */
export type ReplayRun = (recording: readonly string[]) => Promise<{
  readonly result: { readonly stopReason: string; readonly text: string; readonly turns: number };
  readonly divergence?: {
    readonly line: number;
    readonly what: string;
    readonly path: string;
    readonly expected: unknown;
    readonly actual: unknown;
  };
}>;

/** Replays a recording, with a changed turn if one is given. It calls no tool and no model. */
export async function replayRecording(
  replay: ReplayRun,
  lines: readonly RecordedLine[],
  edit: RunEdit | undefined,
): Promise<ReplayView> {
  const edited = edit === undefined ? lines : editRecording(lines, edit);
  const { result, divergence } = await replay(edited.map((line) => JSON.stringify(line)));
  const view = { stopReason: result.stopReason, text: cutText(result.text), turns: result.turns };
  if (divergence === undefined) return view;
  const { line, what, path, expected, actual } = divergence;
  const turn = listSteps(edited).findLast(({ at }) => at < line)?.turn ?? 1;
  return { ...view, divergence: { turn, what, path, expected: asJson(expected), actual: asJson(actual) } };
}
