import type { ExtractedCall, Extraction, RejectedCall } from '@haft/repair';
import { explainCall } from './model/explain-span.ts';
import { countOf, reasonInWords, riskInWords, runsInWords } from './model/plain-words.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { PrintedValue, RepairList, RiskBadge, rowOf, type Pointing } from './text-reading-parts.tsx';

/** Maximum number of calls shown one by one. */
const maxCalls = 50;

/** Maximum number of characters shown of the remaining text. */
const maxLeft = 20_000;

interface CallsCardProps {
  readonly extraction: Extraction;
  readonly text: string;
  /** Whether the model was cut off. */
  readonly isCut: boolean;
  readonly pointing: Pointing;
}

/** A text read as a message with calls: the calls, the rejected ones with reasons, and the remaining text. */
export function CallsCard({ extraction, text, isCut, pointing }: CallsCardProps) {
  const { calls, rejected, text: rest } = extraction;
  const unshown = Math.max(0, calls.length - maxCalls) + Math.max(0, rejected.length - maxCalls);
  return (
    <article className="card" aria-label="Tool calls" data-card="calls">
      <header className="row wrap">
        <h2>Tool calls</h2>
        <span className={`risk ${calls.length > 0 ? 'call' : ''}`}>{calls.length} found</span>
        {rejected.length > 0 && <span className="risk">{rejected.length} rejected</span>}
      </header>
      {calls.length + rejected.length === 0 && (
        <p>Nothing in this text calls a declared tool. The tools are under “Declared”, below the text.</p>
      )}
      {calls.length > 0 && (
        <ol className="found-calls">
          {calls.slice(0, maxCalls).map((call, index) => (
            <FoundCall key={index} call={call} id={`call-${index}`} text={text} isCut={isCut} pointing={pointing} />
          ))}
        </ol>
      )}
      {rejected.length > 0 && (
        <>
          <h3>Rejected</h3>
          <ul className="refusals">
            {rejected.slice(0, maxCalls).map((one, index) => (
              <Refusal key={index} call={one} id={`rejected-${index}`} pointing={pointing} />
            ))}
          </ul>
        </>
      )}
      {unshown > 0 && <p className="quiet">{countOf(unshown, 'more')} not shown.</p>}
      {calls.length > 0 && rest.trim() !== '' && (
        <CodeBlock title="Remaining text" text={rest.length > maxLeft ? `${rest.slice(0, maxLeft)}…` : rest.trim()} />
      )}
    </article>
  );
}

interface FoundCallProps {
  readonly call: ExtractedCall;
  readonly id: string;
  readonly text: string;
  /** Whether the model was cut off. */
  readonly isCut: boolean;
  readonly pointing: Pointing;
}

function FoundCall({ call, id, text, isCut, pointing }: FoundCallProps) {
  const { name, envelope, risk, repairs } = call;
  return (
    <li>
      <div className="row wrap">
        <button type="button" className="name" {...rowOf(id, pointing)}>
          {visible(name)}
        </button>
        <span className="quiet">
          written as <code>{envelope}</code>
        </span>
        <RiskBadge risk={risk} />
      </div>
      <p>{visible(explainCall(call, text))}</p>
      <p className="quiet">
        {riskInWords[risk]} {runsInWords(call, isCut)}
      </p>
      <PrintedValue value={call.arguments} label="Arguments" />
      {repairs.length > 0 && (
        <>
          <h3>{countOf(repairs.length, 'repair')}</h3>
          <RepairList repairs={repairs} owner={id} text={text} pointing={pointing} />
        </>
      )}
    </li>
  );
}

interface RefusalProps {
  readonly call: RejectedCall;
  readonly id: string;
  readonly pointing: Pointing;
}

function Refusal({ call: { name, reason, hint }, id, pointing }: RefusalProps) {
  return (
    <li>
      <p className="row wrap">
        <button type="button" className="name" {...rowOf(id, pointing)}>
          {name === undefined ? 'a call without a name' : visible(name)}
        </button>
        <code className="quiet">{reason}</code>
      </p>
      <p>It was rejected, because {reasonInWords(reason)}.</p>
      <p className="quiet">Hint for the model: {visible(hint)}</p>
    </li>
  );
}
