import { useEffect, useState } from 'react';
import type { TextFinding, TextReading } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import { CodeBlock, visible } from '../parts/code-block.tsx';
import { MarkedText } from '../parts/marked-text.tsx';

const sample = `I will look at the file first.

<tool_call>
{"name": "read", "arguments": {"path": "README.md", 'limit': 20,}}
</tool_call>

Then I would call delete_everything({"path": "/"}).`;

const pauseMs = 120;

/** Shows which calls a text of a model holds, what was repaired, and what only looks like a call. */
export function TextPage() {
  const [text, setText] = useState(sample);
  const [stopped, setStopped] = useState('');
  const [length, setLength] = useState(sample.length);
  const [reading, setReading] = useState<TextReading & { readonly text: string }>();
  const [problem, setProblem] = useState('');
  const shown = text.slice(0, length);
  useEffect(() => {
    let isCurrent = true;
    const readNow = async (): Promise<void> => {
      try {
        const value = await send<TextReading>('read', { text: shown, ...(stopped === '' ? {} : { stopped }) });
        if (!isCurrent) return;
        setReading({ ...value, text: shown });
        setProblem('');
      } catch (error) {
        if (isCurrent) setProblem(error instanceof Error ? error.message : String(error));
      }
    };
    const timer = setTimeout(() => {
      void readNow();
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [shown, stopped]);
  const findings = reading?.findings ?? [];
  const calls = findings.filter(({ kind }) => kind === 'call').length;
  return (
    <div className="two">
      <section className="column">
        <label className="field">
          <span>Text of a model. It is read with the tools of this program, and nothing is called.</span>
          <textarea
            className="tall"
            value={text}
            spellCheck={false}
            onChange={(event) => {
              setText(event.target.value);
              setLength(event.target.value.length);
            }}
          />
        </label>
        <label className="field">
          <span>As it arrives: the first {length.toLocaleString('en')} characters</span>
          <input
            type="range"
            min={0}
            max={text.length}
            value={length}
            onChange={(event) => setLength(Number(event.target.value))}
          />
        </label>
        <label className="field">
          <span>Why the text ended</span>
          <select value={stopped} onChange={(event) => setStopped(event.target.value)}>
            <option value="">unknown (treated as cut)</option>
            <option value="stop">the model stopped by itself</option>
            <option value="length">it was cut</option>
          </select>
        </label>
      </section>
      <section className="column" aria-live="polite">
        {problem !== '' && (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        <p className="quiet">
          {calls} {calls === 1 ? 'call' : 'calls'}, {findings.length - calls} refused
        </p>
        {reading !== undefined && <MarkedText text={reading.text} findings={findings} />}
        {findings.map((finding) => (
          <Finding key={`${finding.kind} ${finding.start} ${finding.name}`} finding={finding} />
        ))}
        {reading !== undefined && findings.length === 0 && (
          <p className="notice">The text holds no call, and nothing in it looks like a call of a known tool.</p>
        )}
      </section>
    </div>
  );
}

function Finding({ finding }: { readonly finding: TextFinding }) {
  const isCall = finding.kind === 'call';
  return (
    <article className="card">
      <h2>
        {finding.name === '' ? 'unnamed' : visible(finding.name)}{' '}
        <span className={`chip ${isCall ? 'good' : 'bad'}`}>{isCall ? finding.form : `refused: ${finding.form}`}</span>{' '}
        {isCall && finding.risk !== 'none' && <span className="chip warn">{finding.risk}</span>}
      </h2>
      <p className="quiet">
        Characters {finding.start} to {finding.end}
      </p>
      {finding.hint !== undefined && <p className="notice warn">Hint for the model: {visible(finding.hint)}</p>}
      {finding.repairs.length > 0 && (
        <ul className="dots">
          {finding.repairs.map((repair, index) => (
            <li key={index}>{visible(repair.message)}</li>
          ))}
        </ul>
      )}
      {finding.arguments !== undefined && <CodeBlock title="Arguments" text={finding.arguments} />}
    </article>
  );
}
