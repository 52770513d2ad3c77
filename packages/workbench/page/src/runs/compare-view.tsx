import type { RunDetails, RunSummary } from '../../../src/contract/run-data.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Problem } from '../parts/problem.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { compareRuns, type ComparedTurn } from './compare-runs.ts';
import { costOf } from './run-view.tsx';

/** Chooses the run that another one is compared with. */
export function CompareChoice({ id, runs }: { readonly id: string; readonly runs: readonly RunSummary[] }) {
  const others = runs.filter((run) => run.id !== id);
  if (others.length === 0) return null;
  return (
    <select
      aria-label="Compare with another run"
      value=""
      onChange={(event) => {
        location.hash = routeTo('runs', id, { with: event.target.value });
      }}
    >
      <option value="">Compare with…</option>
      {others.map((run) => (
        <option key={run.id} value={run.id}>
          {visible(run.prompt === '' ? run.runId : run.prompt).slice(0, 60)}, {visible(run.model)},{' '}
          {new Date(run.startedAt).toLocaleString()}
        </option>
      ))}
    </select>
  );
}

/** Two runs side by side, turn by turn. */
export function CompareView({ id, other }: { readonly id: string; readonly other: string }) {
  const left = useData<RunDetails>(`runs/${encodeURIComponent(id)}`, 'runs');
  const right = useData<RunDetails>(`runs/${encodeURIComponent(other)}`, 'runs');
  if (left.value === undefined || right.value === undefined) return <Problem text={left.problem ?? right.problem} />;
  const turns = compareRuns(left.value, right.value);
  const first = turns.find(({ isSame }) => !isSame);
  return (
    <article>
      <header className="row wrap">
        <h2>Two runs compared</h2>
        <a href={routeTo('runs', id)}>Close the comparison</a>
      </header>
      <p className={`notice ${first === undefined ? 'good' : 'warn'}`}>
        {first === undefined
          ? 'Both runs hold the same messages, calls and results.'
          : `The runs differ from turn ${first.turn} on: ${first.rows.find(({ isSame }) => !isSame)?.title ?? ''}.`}
      </p>
      <div className="compared">
        <Facts run={left.value} />
        <Facts run={right.value} />
      </div>
      {turns.map((turn) => (
        <Turn key={turn.turn} turn={turn} />
      ))}
    </article>
  );
}

function Facts({ run }: { readonly run: RunDetails }) {
  return (
    <section className="card">
      <h3>
        <a href={routeTo('runs', run.id)}>{visible(run.prompt === '' ? run.runId : run.prompt).slice(0, 120)}</a>
      </h3>
      <dl className="facts">
        <dt>Ended</dt>
        <dd>
          <StateChip state={run.state} />
        </dd>
        <dt>Model</dt>
        <dd>{visible(run.model)}</dd>
        <dt>Turns</dt>
        <dd>
          {run.turns}, {run.calls} {run.calls === 1 ? 'call' : 'calls'}
        </dd>
        <dt>Tokens</dt>
        <dd>{run.tokens === undefined ? 'unknown' : run.tokens.toLocaleString('en')}</dd>
        <dt>Cost</dt>
        <dd>{run.costUsd === undefined ? 'unknown' : costOf(run.costUsd)}</dd>
        <dt>Calls took</dt>
        <dd>{Math.round(run.spanMs).toLocaleString('en')} ms</dd>
      </dl>
    </section>
  );
}

function Turn({ turn: { turn, rows, isSame } }: { readonly turn: ComparedTurn }) {
  return (
    <details className="turn" open={!isSame}>
      <summary>
        Turn {turn} <span className={`chip ${isSame ? 'good' : 'warn'}`}>{isSame ? 'same' : 'differs'}</span>
      </summary>
      {rows.map((row) =>
        row.isSame ? (
          <p key={row.title} className="quiet line">
            {row.title}: {visible(row.left ?? '').slice(0, 200)}
          </p>
        ) : (
          <div key={row.title} className="compared">
            <Side title={row.title} text={row.left} />
            <Side title={row.title} text={row.right} />
          </div>
        ),
      )}
    </details>
  );
}

function Side({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  return text === undefined ? (
    <p className="notice">{title}: missing in this run</p>
  ) : (
    <CodeBlock title={title} text={text} />
  );
}
