import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { ApprovalView } from '../../../src/contract/page-data.ts';
import { QuestionCard } from '../approvals/question-card.tsx';
import { answerOfKey, useAnswering } from '../approvals/use-answering.ts';
import { isTyping } from '../parts/use-list-keys.ts';

/** Events of a user who reads or answers a question. */
const turning = ['focusin', 'pointerdown', 'wheel'] as const;

/**
 * The questions of the conversation. A new question never takes the focus, because the user may be typing. Keys answer a
 * question only while the focus is inside it. Afterwards, the focus goes back to where it was.
 */
export function ChatQuestions({
  questions,
  field,
}: {
  readonly questions: readonly ApprovalView[];
  /** The field for the next task. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
}) {
  const list = useRef<HTMLDivElement>(null);
  const isFocused = useRef(false);
  const before = useRef<Element>(null);
  const { answer, refusalOf, lostRefusal } = useAnswering(questions);
  const [marked] = questions;
  const first = marked?.id;
  const ids = questions.map(({ id }) => id).join(' ');

  // Shows the beginning of a new question, also while its diff still loads, until the user turns to it.
  useEffect(() => {
    const element = list.current;
    if (first === undefined || element === null) return undefined;
    const observer = new ResizeObserver(() => element.scrollIntoView({ block: 'start' }));
    const stop = (): void => observer.disconnect();
    observer.observe(element);
    for (const name of turning) element.addEventListener(name, stop, { once: true });
    return () => {
      stop();
      for (const name of turning) element.removeEventListener(name, stop);
    };
  }, [first]);
  // A question that is gone has taken the focus with it.
  useLayoutEffect(() => {
    if (!isFocused.current || list.current?.contains(document.activeElement)) return;
    isFocused.current = false;
    const target = before.current?.isConnected ? before.current : field.current;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }, [ids]);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (marked === undefined || event.isComposing || document.querySelector('dialog[open], :popover-open') !== null)
        return;
      const card = list.current?.querySelector<HTMLElement>('article');
      if (event.key === 'Escape') {
        card?.focus();
        return;
      }
      const given = answerOfKey(event);
      const isInside = event.target instanceof Node && card?.contains(event.target) === true;
      if (given !== undefined && isInside && !isTyping(event)) void answer(marked, given);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [first]);

  return (
    <>
      {lostRefusal !== undefined && (
        <p className="notice bad" role="alert">
          {lostRefusal}
        </p>
      )}
      <div
        ref={list}
        className="chat-questions"
        onFocus={({ relatedTarget }) => {
          if (!isFocused.current) before.current = relatedTarget;
          isFocused.current = true;
        }}
        onBlur={({ relatedTarget }) => {
          isFocused.current = list.current?.contains(relatedTarget) === true;
        }}
      >
        {questions.length > 0 && (
          <p className="quiet">
            <kbd>Esc</kbd> moves to the question. There, <kbd>a</kbd> presses the first button, and <kbd>d</kbd> denies.
          </p>
        )}
        {questions.map((question) => (
          <QuestionCard
            key={question.id}
            question={question}
            isMarked={question.id === first}
            isChosen={false}
            refusal={refusalOf(question.id)}
            onAnswer={(given) => void answer(question, given)}
          />
        ))}
      </div>
    </>
  );
}
