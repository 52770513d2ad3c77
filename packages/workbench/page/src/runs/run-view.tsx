import type { RunCall, RunDetails, RunTurn } from '../../../src/contract/run-data.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { Timeline } from './timeline.tsx';

/** A recorded run: facts, timeline, and the conversation by turns. */
export function RunView({ run }: { readonly run: RunDetails }) {
  return (
    <>
      <h2>
        {visible(run.prompt === '' ? run.runId : firstLineOf(run.prompt))} <StateChip state={run.state} />
      </h2>
      <dl className="facts">
        <dt>Model</dt>
        <dd>{visible(run.model)}</dd>
        <dt>Started</dt>
        <dd>{new Date(run.startedAt).toLocaleString()}</dd>
        <dt>Turns</dt>
        <dd>
          {run.turns}, {run.calls} {run.calls === 1 ? 'call' : 'calls'}
        </dd>
        {run.tokens !== undefined && (
          <>
            <dt>Tokens</dt>
            <dd>{run.tokens.toLocaleString('en')}</dd>
          </>
        )}
        {run.costUsd !== undefined && (
          <>
            <dt>Cost</dt>
            <dd>{costOf(run.costUsd)}</dd>
          </>
        )}
      </dl>
      {run.error !== undefined && <p className="notice bad">The run failed: {visible(run.error)}</p>}
      <Timeline run={run} />
      {run.steps.map((step, index) => (
        <Turn key={index} step={step} />
      ))}
    </>
  );
}

/** Writes an amount of US dollars. */
export function costOf(usd: number): string {
  return `$${usd < 0.01 ? usd.toFixed(5) : usd.toFixed(2)}`;
}

function firstLineOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

function Turn({ step }: { readonly step: RunTurn }) {
  const counts = [
    step.inputTokens !== undefined && `${step.inputTokens.toLocaleString('en')} tokens in`,
    step.outputTokens !== undefined && `${step.outputTokens.toLocaleString('en')} out`,
    step.costUsd !== undefined && costOf(step.costUsd),
    `${step.tools} tools`,
    step.finish,
  ].filter((part) => part !== false);
  return (
    <section className="turn" aria-label={`Turn ${step.turn}`}>
      <header className="row wrap">
        <h3>Turn {step.turn}</h3>
        <span className="quiet">{visible(counts.join(', '))}</span>
      </header>
      {step.added.map(({ role, text }, index) => (
        <details key={index} className="message" open={role === 'user'}>
          <summary>{role}</summary>
          <p className="prose">{visible(text)}</p>
        </details>
      ))}
      {step.reasoning !== '' && (
        <details className="message">
          <summary>reasoning</summary>
          <p className="prose">{visible(step.reasoning)}</p>
        </details>
      )}
      {step.text !== '' && (
        <details className="message" open>
          <summary>assistant</summary>
          <p className="prose">{visible(step.text)}</p>
        </details>
      )}
      {step.calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </section>
  );
}

function Call({ call }: { readonly call: RunCall }) {
  return (
    <details className="call">
      <summary>
        <strong>{visible(call.name)}</strong> <StateChip state={call.state} />
        {call.code !== undefined && <span className="quiet">{call.code}</span>}
        {call.durationMs !== undefined && <span className="quiet">{Math.round(call.durationMs)} ms</span>}
        <span className="quiet line">{visible(call.arguments.replaceAll(/\s+/g, ' ').slice(0, 120))}</span>
      </summary>
      <CodeBlock title="Arguments" text={call.arguments} />
      {call.written !== undefined && <CodeBlock title="As the model wrote them" text={call.written} />}
      <CodeBlock title="What the model reads" text={call.forModel} />
    </details>
  );
}
