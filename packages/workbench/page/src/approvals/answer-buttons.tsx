import { useState } from 'react';
import type { ApprovalView } from '../../../src/contract/page-data.ts';
import { visible } from '../data/visible.ts';
import { ReasonInput } from '../parts/reason-input.tsx';
import { serverOf } from './server-question.ts';

/** The answer to a question. */
export type Answer =
  | { readonly action: 'allow'; readonly scope: string; readonly command?: string }
  | { readonly action: 'deny'; readonly reason: string };

/** The buttons, and the rule that a lasting answer adds. They stay in sight below a long question. */
export function AnswerButtons({
  question,
  refusal,
  onAnswer,
}: {
  readonly question: ApprovalView;
  /** Why the program did not take the latest answer. */
  readonly refusal?: string | undefined;
  readonly onAnswer: (answer: Answer) => void;
}) {
  const { tool, provider, command = '', isSimpleCommand, cwd, sessionId } = question;
  const [reason, setReason] = useState('');
  const [pattern, setPattern] = useState('');
  const allow = (scope: string) => () =>
    onAnswer({
      action: 'allow',
      scope,
      ...(scope === 'once' || pattern.trim() === '' ? {} : { command: pattern.trim() }),
    });
  const rule =
    command === ''
      ? `allow ${tool} of ${provider} with exactly these arguments`
      : `allow ${pattern.trim() === '' ? command : pattern.trim()} in ${cwd}`;
  // An approved command of a server is kept, so its question has no other scope.
  const isKept = serverOf(question) !== undefined;
  const hasSession = sessionId !== '';
  return (
    <div className="answers">
      {refusal !== undefined && (
        <p className="notice bad" role="alert">
          {refusal}
        </p>
      )}
      <div className="row wrap">
        <button type="button" className="main" onClick={allow('once')}>
          {isKept ? 'Allow now and in the future' : 'Allow once'}
        </button>
        {!isKept && (
          <>
            {hasSession && (
              <button type="button" onClick={allow('session')}>
                Allow for the session
              </button>
            )}
            <button type="button" onClick={allow('always')}>
              Always allow
            </button>
          </>
        )}
        <form
          className="row deny"
          onSubmit={(event) => {
            event.preventDefault();
            onAnswer({ action: 'deny', reason });
          }}
        >
          <button type="submit" className="danger">
            Deny
          </button>
          <ReasonInput value={reason} onChange={setReason} />
        </form>
      </div>
      {!isKept && (
        <details>
          <summary className="quiet">
            {hasSession ? '“Session” and “always” add' : '“Always” adds'} this rule: <code>{visible(rule)}</code>
          </summary>
          {isSimpleCommand ? (
            <label className="field">
              <span>
                Allow more commands with a pattern. It must begin with the program and match this command, such as{' '}
                <code>{visible(patternOf(command))}</code>
              </span>
              <input
                value={pattern}
                placeholder="exactly this command"
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setPattern(event.target.value)}
              />
            </label>
          ) : (
            <p className="quiet">
              Every other call asks again.
              {command !== '' && ' A pattern can allow only lines that are one simple command.'}
            </p>
          )}
        </details>
      )}
    </div>
  );
}

/** A pattern that keeps the program and its first word. */
function patternOf(command: string): string {
  const [program = '', first, ...rest] = command.trim().split(/\s+/);
  if (first === undefined) return program;
  return rest.length === 0 ? `${program} *` : `${program} ${first} *`;
}
