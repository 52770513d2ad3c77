import { useEffect, useMemo, useState } from 'react';
import type { CallableToolView } from '../../../src/contract/page-data.ts';
import { explainSpan } from '../text/model/explain-span.ts';
import { samples } from '../text/model/samples.ts';
import { spansOfCalls, spansOfValue } from '../text/model/spans.ts';
import {
  maxQueryLength,
  readQuery,
  sampleOfState,
  stateOfSample,
  withText,
  writeQuery,
  type TextState,
} from '../text/model/text-state.ts';
import { useData } from '../data/use-data.ts';
import { CallsCard } from '../text/calls-card.tsx';
import { DeclaredFields, nameOfTools } from '../text/declared-fields.tsx';
import { MarkedEditor } from '../text/marked-editor.tsx';
import { ReadingNote } from '../text/text-reading-note.tsx';
import '../text/text.css';
import { spanOf, usePointing } from '../text/use-pointing.ts';
import { useReading } from '../text/use-text-reading.ts';
import { ValueCard } from '../text/value-card.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';

const noTools: readonly CallableToolView[] = [];

/** The text and the choices of this tab, for the way back to the page. A long text is in no URL. */
let kept: TextState | undefined;

/** Browsers limit how often a page changes its URL. */
const addressPauseMs = 300;

/** Shows which calls and which value a text of a model holds, what was repaired, and what was refused. */
export function TextPage({ query }: { readonly query: string }) {
  const { value: tools = noTools } = useData<readonly CallableToolView[]>('callable-tools', 'tools');
  const [state, setState] = useState(() => stateOf(query));
  const [given, setGiven] = useState(query);
  const [length, setLength] = useState(state.text.length);
  const enter = (next: TextState): void => {
    setState(next);
    setLength(next.text.length);
  };
  if (given !== query) {
    setGiven(query);
    enter(stateOf(query));
  }
  const change = (part: Partial<TextState>): void => setState((before) => ({ ...before, ...part }));
  const address = useMemo(() => writeQuery(state), [state]);
  useEffect(() => {
    kept = state;
    const { hash } = location;
    const timer = setTimeout(() => {
      // The user has followed a link, and the page does not know it yet.
      if (location.hash !== hash) return;
      history.replaceState(null, '', address === undefined ? '#/text' : `#/text?${address}`);
    }, addressPauseMs);
    return () => clearTimeout(timer);
  }, [address, state]);
  const { shown, toolsProblem, schemaProblem } = useReading(state, length, tools);
  const pointing = usePointing();
  const { reading } = shown;
  const isCurrent = shown.text.length === length;
  const hasCalls = reading !== undefined && reading.extraction.calls.length + reading.extraction.rejected.length > 0;
  const marking = state.marks === '' ? (hasCalls ? 'calls' : 'value') : state.marks;
  const spans = useMemo(() => {
    if (reading === undefined || !isCurrent) return [];
    return marking === 'calls' ? spansOfCalls(reading.extraction) : spansOfValue(reading.value);
  }, [reading, marking, isCurrent]);
  const isBlank = shown.text.trim() === '';
  const explained = useMemo(() => {
    const id = pointing.current;
    const explanation = reading && isCurrent && id !== undefined ? explainSpan(reading, shown.text, id) : undefined;
    return id === undefined || explanation === undefined ? undefined : { id, explanation };
  }, [reading, isCurrent, shown.text, pointing.current]);
  const cards = reading && [
    <CallsCard
      key="calls"
      extraction={reading.extraction}
      text={shown.text}
      isCut={state.stopped === 'length'}
      pointing={pointing}
    />,
    <ValueCard key="value" result={reading.value} text={shown.text} pointing={pointing} />,
  ];
  const pick = (id: string | undefined): void => {
    pointing.pick(id);
    if (id === undefined) return;
    for (const selector of [`[data-owner="${id}"]`, `[data-span="${id}"]`])
      document.querySelector(selector)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  return (
    <div className="xray">
      <section className="column" aria-label="What the model wrote">
        <div className="choices">
          <label className="field">
            <span>Sample</span>
            <select
              value={sampleOfState(state)?.id ?? ''}
              onChange={(event) => {
                const picked = samples.find(({ id }) => id === event.target.value);
                enter(picked ? stateOfSample(picked) : { ...state, text: '', schema: '', tools: '' });
              }}
            >
              <option value="">(your own text)</option>
              {samples.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>The model</span>
            <select
              value={state.stopped}
              onChange={(event) => change({ stopped: event.target.value as TextState['stopped'] })}
            >
              <option value="">ended for an unknown reason</option>
              <option value="stop">stopped by itself</option>
              <option value="length">was cut off</option>
            </select>
          </label>
          <label className="field">
            <span>Marks</span>
            <select
              value={state.marks}
              onChange={(event) => change({ marks: event.target.value as TextState['marks'] })}
            >
              <option value="">whatever fits</option>
              <option value="value">repairs of the value</option>
              <option value="calls">calls and their repairs</option>
            </select>
          </label>
        </div>
        <MarkedEditor
          text={state.text}
          length={length}
          spans={spans}
          active={pointing.active}
          explained={explained}
          describedBy="reading-note"
          onChange={(text) => enter(withText(state, text))}
          onPoint={pointing.hover}
          onPick={pick}
        />
        <label className="field">
          <span>
            Streaming: the first {length.toLocaleString('en')} of {state.text.length.toLocaleString('en')} characters
            have arrived
          </span>
          <input
            type="range"
            min={0}
            max={state.text.length}
            value={length}
            onChange={(event) => setLength(Number(event.target.value))}
          />
        </label>
        <ReadingNote shown={shown} isCurrent={isCurrent} />
        <details className="fold">
          <summary>
            Declared: {nameOfTools(state, tools.length)}
            {state.schema !== '' && ', and a schema of the value'}
          </summary>
          <DeclaredFields
            state={state}
            programTools={tools.length}
            toolsProblem={toolsProblem}
            schemaProblem={schemaProblem}
            onChange={change}
          />
        </details>
        <p className="row wrap">
          <CopyButton text={() => location.href} label="Copy a link to this text" />
          <span className="quiet">
            {address === undefined
              ? `The text is too long for a link (${maxQueryLength.toLocaleString('en')} characters).`
              : 'The text is read in this page, and is sent nowhere.'}
          </span>
        </p>
      </section>
      <section
        className="column"
        aria-label="What was read"
        onPointerOver={(event) => pointing.hover(spanOf(event.target))}
        onPointerLeave={() => pointing.hover(undefined)}
        onFocus={(event) => pointing.hover(spanOf(event.target))}
        onBlur={() => pointing.hover(undefined)}
        onClick={(event) => {
          const id = spanOf(event.target);
          if (id !== undefined) pick(id);
        }}
      >
        {/* The intended reading comes first, for eyes and screen readers. */}
        {isBlank ? <NoText /> : cards !== undefined && (hasCalls ? cards : cards.toReversed())}
      </section>
    </div>
  );
}

/** A URL without a query leads back to the text that was left. */
function stateOf(query: string): TextState {
  return query === '' && kept !== undefined ? kept : readQuery(query);
}

function NoText() {
  return (
    <EmptyState title="There is no text yet">
      <p>
        Paste any output of a model, or choose a sample. You then see which calls and which value it holds, every repair
        with its reason, and what was refused.
      </p>
      <p className="quiet">
        As the arguments of a call, an empty text counts as {'{}'}, because models send it for tools without arguments.
      </p>
    </EmptyState>
  );
}
