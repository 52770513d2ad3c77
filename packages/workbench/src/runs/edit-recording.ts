import type { RunEdit } from '../contract/run-data.ts';
import { listSteps, type RecordedLine } from './recording.ts';

/**
 * Returns a recording with one turn changed, for a replay.
 *
 * @throws Error if the recording has no such turn or call.
 */
export function editRecording(lines: readonly RecordedLine[], edit: RunEdit): readonly RecordedLine[] {
  const { what, value } = edit;
  if (what === 'prompt') {
    const [first, ...others] = lines;
    return [{ ...first!, options: { ...first!.options, prompt: value } }, ...others];
  }
  const step = listSteps(lines).find(
    (one) => one.turn === edit.turn && !one.lines.some(({ type }) => type === 'model-broken'),
  );
  if (step === undefined) throw new Error(`turn: the run has no turn ${edit.turn}`);
  const before = lines.slice(0, step.at + 1);
  const after = lines.slice(step.at + 1 + step.lines.length);
  return [...before, ...editStep(step.lines, edit), ...after];
}

function editStep(lines: readonly RecordedLine[], { what, call, value }: RunEdit): readonly RecordedLine[] {
  if (what === 'text') return editText(lines, value);
  if (what === 'result') return editResult(lines, call, value);
  const calls = lines.filter(({ event }) => event?.type === 'tool-call');
  const chosen = calls[call];
  if (chosen === undefined) throw new Error(`call: the model wrote no structured call ${call + 1} in this turn`);
  const { id } = chosen.event!;
  return lines
    .filter(({ event }) => !(event?.type === 'tool-call-delta' && event.id === id))
    .map((line) => (line === chosen ? { ...line, event: { ...line.event!, arguments: value } } : line));
}

function editText(lines: readonly RecordedLine[], value: string): readonly RecordedLine[] {
  const isText = ({ event }: RecordedLine): boolean => event?.type === 'text';
  const first = Math.max(0, lines.findIndex(isText));
  const text: RecordedLine = { type: 'model', event: { type: 'text', text: value } };
  return [...lines.slice(0, first), text, ...lines.slice(first)].filter((line) => line === text || !isText(line));
}

function editResult(lines: readonly RecordedLine[], call: number, value: string): readonly RecordedLine[] {
  const at = lines.findIndex(({ type }) => type === 'results');
  const results = lines[at]?.results;
  if (results?.[call] === undefined) throw new Error(`call: the turn has no result ${call + 1}`);
  const changed = results.map((result, index) =>
    index === call ? { ...result, content: [{ type: 'text', text: value }] } : result,
  );
  return lines.map((line, index) => (index === at ? { ...line, results: changed } : line));
}
