import type { RepairResult } from '@haft/repair';
import { completeInWords, countOf, riskInWords } from './model/plain-words.ts';
import { visible } from '../data/visible.ts';
import { PrintedValue, RepairList, RiskBadge, type Pointing } from './text-reading-parts.tsx';

interface ValueCardProps {
  readonly result: RepairResult;
  readonly text: string;
  readonly pointing: Pointing;
}

/** A text read as one JSON value: the value, its certainty, and each repair. */
export function ValueCard({ result, text, pointing }: ValueCardProps) {
  if (!result.ok) {
    return (
      <article className="card" aria-label="Read as one value" data-card="value">
        <header className="row wrap">
          <h2>Read as one value</h2>
          <span className="risk failed">not read</span>
        </header>
        <p>{visible(result.message)}</p>
        <dl className="facts">
          <dt>Code</dt>
          <dd>
            <code>{result.code}</code>
          </dd>
          <dt>Message for the model</dt>
          <dd>{visible(result.hint)}</dd>
        </dl>
      </article>
    );
  }
  const { value, risk, complete, repairs } = result;
  return (
    <article className="card" aria-label="Read as one value" data-card="value">
      <header className="row wrap">
        <h2>Read as one value</h2>
        <RiskBadge risk={risk} />
      </header>
      <p className="quiet">
        {riskInWords[risk]} {completeInWords(complete)}
      </p>
      <PrintedValue value={value} label="The value" />
      {repairs.length > 0 && (
        <>
          <h3>{countOf(repairs.length, 'repair')}</h3>
          <RepairList repairs={repairs} owner="value" text={text} pointing={pointing} />
        </>
      )}
    </article>
  );
}
