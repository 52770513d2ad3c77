import type { CallDetails } from '../../../src/contract/page-data.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from './code-block.tsx';
import { DiffBlock } from './diff-block.tsx';

/** The result of a call: what the model reads beside what a person reads, and how the arguments were read. */
export function CallResult({ call }: { readonly call: Partial<CallDetails> }) {
  const { error, forModel, forPerson, structured, effects = [], reading = [], advisories = [] } = call;
  return (
    <>
      {error !== undefined && (
        <div className="notice bad">
          <p>
            <strong>{error.code}</strong>: {visible(error.message)}
          </p>
          <p className="quiet">
            Fault: {error.fault}. {error.hint !== undefined && `Hint for the model: ${visible(error.hint)}`}
          </p>
        </div>
      )}
      {reading.length > 0 && (
        <div className="notice warn">
          <p>How the arguments were read:</p>
          <ul className="dots">
            {reading.map((line, index) => (
              <li key={index}>{visible(line)}</li>
            ))}
          </ul>
        </div>
      )}
      {effects.length > 0 && (
        <div className="notice">
          <p>What the call did:</p>
          <ul className="dots">
            {effects.map((line, index) => (
              <li key={index}>{visible(line)}</li>
            ))}
          </ul>
        </div>
      )}
      {advisories.length > 0 && (
        <div className="notice">
          <p>Advice that the model reads:</p>
          <ul className="dots">
            {advisories.map((line, index) => (
              <li key={index}>{visible(line)}</li>
            ))}
          </ul>
        </div>
      )}
      {forPerson?.diff !== undefined && <DiffBlock title="What changed" patch={forPerson.diff} />}
      {forModel !== undefined && <CodeBlock title="What the model reads" text={forModel} />}
      {forPerson !== undefined && forPerson.summary !== '' && (
        <CodeBlock title="What a person reads" text={forPerson.summary} />
      )}
      {structured !== undefined && <CodeBlock title="What a program reads" text={structured} />}
    </>
  );
}
