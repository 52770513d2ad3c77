import { useState } from 'react';
import type { ReplayView, RunDetails, RunEdit } from '../../../src/contract/run-data.ts';
import { send } from '../data/request.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';

interface Choice {
  readonly label: string;
  readonly edit: RunEdit;
}

/** Replays a run, with one change if the user makes one, and shows where the run diverges. */
export function ReplayForm({ run }: { readonly run: RunDetails }) {
  const choices = choicesOf(run);
  const [chosen, setChosen] = useState(-1);
  const [value, setValue] = useState('');
  const [isRunning, setRunning] = useState(false);
  const [replay, setReplay] = useState<ReplayView>();
  const [problem, setProblem] = useState('');
  const start = async (): Promise<void> => {
    setRunning(true);
    setProblem('');
    try {
      const edit = choices[chosen] && { ...choices[chosen].edit, value };
      setReplay(await send<ReplayView>(`runs/${encodeURIComponent(run.id)}`, edit ? { edit } : {}));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <section aria-label="Replay">
      <h3>Replay</h3>
      <form
        className="call-form"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <p className="quiet">
          A replay runs the loop with the recorded answers. It calls no model and no tool. Change one thing to see where
          the run would have diverged.
        </p>
        <label className="field">
          <span>What to change</span>
          <select
            value={chosen}
            onChange={(event) => {
              const index = Number(event.target.value);
              setChosen(index);
              setValue(choices[index]?.edit.value ?? '');
              setReplay(undefined);
            }}
          >
            <option value={-1}>nothing: check that the run repeats</option>
            {choices.map(({ label }, index) => (
              <option key={label} value={index}>
                {visible(label)}
              </option>
            ))}
          </select>
        </label>
        {chosen >= 0 && (
          <label className="field">
            <span>New text</span>
            <textarea rows={6} value={value} spellCheck={false} onChange={(event) => setValue(event.target.value)} />
          </label>
        )}
        <p>
          <button type="submit" className="main" disabled={isRunning}>
            {isRunning ? 'Replaying…' : 'Replay'}
          </button>
        </p>
      </form>
      <div aria-live="polite">
        {problem !== '' && <p className="notice bad">{visible(problem)}</p>}
        {replay !== undefined && <Outcome replay={replay} />}
      </div>
    </section>
  );
}

const subjects: Readonly<Record<string, string>> = {
  request: 'the request to the model',
  calls: 'the calls',
  end: 'the end of the run',
};

function Outcome({ replay: { divergence, stopReason, turns } }: { readonly replay: ReplayView }) {
  if (divergence === undefined) {
    return (
      <p className="notice good">
        The run repeats exactly: {turns} turns, {stopReason}.
      </p>
    );
  }
  return (
    <>
      <p className="notice warn">
        The run diverges in turn {divergence.turn}: {subjects[divergence.what] ?? divergence.what} differs at{' '}
        <code>{visible(divergence.path)}</code>. From here on, the recording has no answers.
      </p>
      <div className="two-cards">
        <CodeBlock title="Recorded" text={divergence.expected} />
        <CodeBlock title="Now" text={divergence.actual} />
      </div>
    </>
  );
}

function choicesOf(run: RunDetails): readonly Choice[] {
  const prompt: Choice = { label: 'the task', edit: { turn: 1, what: 'prompt', call: 0, value: run.prompt } };
  const ofTurns = run.steps.flatMap(({ turn, text, calls }): readonly Choice[] => [
    ...(text === '' ? [] : [{ label: `turn ${turn}: the answer of the model`, edit: edit(turn, 'text', 0, text) }]),
    ...calls.flatMap((call, index) => [
      {
        label: `turn ${turn}: the arguments of call ${index + 1}, ${call.name}`,
        edit: edit(turn, 'arguments', index, call.written ?? call.arguments),
      },
      {
        label: `turn ${turn}: the result of call ${index + 1}, ${call.name}`,
        edit: edit(turn, 'result', index, call.forModel),
      },
    ]),
  ]);
  return [prompt, ...ofTurns];
}

function edit(turn: number, what: RunEdit['what'], call: number, value: string): RunEdit {
  return { turn, what, call, value };
}
