import type { RunCall, RunDetails } from '../../../src/contract/run-data.ts';
import { visible } from '../data/visible.ts';

/** The calls of a run as bars on a common time axis, so that parallel calls are beside each other. */
export function Timeline({ run }: { readonly run: RunDetails }) {
  const rows = run.steps.flatMap(({ turn, calls }) =>
    calls.flatMap((call) => (call.startMs === undefined ? [] : [{ turn, call, start: call.startMs }])),
  );
  if (rows.length === 0) return null;
  const span = Math.max(1, run.spanMs);
  return (
    <section className="block" aria-label="Timeline of the calls">
      <header>
        <h3>Timeline of the calls</h3>
        <span className="quiet">{span < 10_000 ? `${Math.round(span)} ms` : `${(span / 1_000).toFixed(1)} s`}</span>
      </header>
      <ol className="timeline">
        {rows.map(({ turn, call, start }) => (
          <li key={call.id}>
            <span className="line">
              <span className="quiet">{turn}</span> {visible(call.name)}
            </span>
            <span className="track">
              <span
                className={`span ${call.state}`}
                style={{ left: `${(start / span) * 100}%`, width: `${widthOf(call, span)}%` }}
              />
            </span>
            <span className="quiet">{Math.round(call.durationMs ?? 0)} ms</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A bar stays visible however short its call was. */
function widthOf({ durationMs = 0 }: RunCall, span: number): number {
  return Math.max(0.6, (durationMs / span) * 100);
}
