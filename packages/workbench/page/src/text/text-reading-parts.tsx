import type { Repair, RepairRisk } from '@haft/repair';
import { Fragment, useMemo } from 'react';
import { createLineAndColumn } from './model/line-and-column.ts';
import { explainRepair } from '../../../src/contract/explain-repair.ts';
import { changeOf } from '../../../src/contract/replacement-of.ts';
import { countOf, riskName, withVisibleBlanks } from './model/plain-words.ts';
import { printValue } from './model/print-value.ts';
import { repairSpanId } from './model/spans.ts';
import { visible } from '../data/visible.ts';
import { CopyButton } from '../parts/copy-button.tsx';

/** Maximum number of rows in a list; the others are counted. */
const maxRows = 200;

/** Maximum number of characters of a printed value. */
const maxPrinted = 100_000;

/** Which row is highlighted, and what happens when one is picked. */
export interface Pointing {
  readonly active: ReadonlySet<string>;
  readonly pinned: string | undefined;
}

/** Attributes of a row that belongs to a span of the text. */
export function rowOf(id: string, { active, pinned }: Pointing) {
  return { 'data-span': id, 'aria-pressed': id === pinned, 'data-active': active.has(id) || undefined } as const;
}

/** A risk as a word with its own shape and colour. */
export function RiskBadge({ risk }: { readonly risk: 'none' | RepairRisk }) {
  return <span className={`risk ${risk}`}>{riskName[risk]}</span>;
}

/** A value as JSON, shortened to fit. */
export function PrintedValue({ value, label }: { readonly value: unknown; readonly label: string }) {
  const { pieces, isWhole } = useMemo(() => printValue(value, maxPrinted), [value]);
  return (
    <section className="block">
      <header>
        <h3>{label}</h3>
        <CopyButton text={() => JSON.stringify(value, null, 2)} />
      </header>
      <pre className="printed" tabIndex={0} aria-label={label}>
        {pieces.map(({ kind, text }, index) =>
          kind === 'mark' ? (
            <Fragment key={index}>{text}</Fragment>
          ) : (
            <span key={index} className={`value-${kind}`}>
              {visible(text)}
            </span>
          ),
        )}
      </pre>
      {!isWhole && (
        <p className="quiet below">Only the first {maxPrinted.toLocaleString('en')} characters are shown.</p>
      )}
    </section>
  );
}

interface RepairListProps {
  readonly repairs: readonly Repair[];
  /** ID of the span that the repairs belong to. */
  readonly owner: string;
  readonly text: string;
  readonly pointing: Pointing;
}

/** Repairs as rows with an explanation, which highlight their place in the text. */
export function RepairList({ repairs, owner, text, pointing }: RepairListProps) {
  const placeOf = useMemo(() => createLineAndColumn(text), [text]);
  const rest = repairs.length - maxRows;
  return (
    <ol className="repairs">
      {repairs.slice(0, maxRows).map((repair, index) => {
        const { code, start, end, found, risk } = repair;
        const { from, to } = changeOf(repair);
        return (
          <li key={index}>
            <button type="button" className={`repair-row ${risk}`} {...rowOf(repairSpanId(owner, index), pointing)}>
              <span className="change">
                <Snippet text={from} whenEmpty="nothing" isCut={from === found && end - start > found.length} />
                {to !== undefined && (
                  <>
                    <span className="arrow" role="img" aria-label="taken for">
                      {' → '}
                    </span>
                    <Snippet text={to} whenEmpty="left out" isCut={false} />
                  </>
                )}
              </span>
              <span className="place">line {placeOf(start)}</span>
              <RiskBadge risk={risk} />
              <span className="why">
                {explainRepair(repair)} <span className="code">{code}</span>
              </span>
            </button>
          </li>
        );
      })}
      {rest > 0 && <li className="quiet">and {countOf(rest, 'more repair')}</li>}
    </ol>
  );
}

interface SnippetProps {
  readonly text: string;
  readonly whenEmpty: string;
  readonly isCut: boolean;
}

function Snippet({ text, whenEmpty, isCut }: SnippetProps) {
  if (text === '') return <i>{whenEmpty}</i>;
  return (
    <code>
      {withVisibleBlanks(text)}
      {isCut ? '…' : ''}
    </code>
  );
}
