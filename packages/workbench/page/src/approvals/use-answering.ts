import { useRef, useState } from 'react';
import type { ApprovalView } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import type { Answer } from './answer-buttons.tsx';
import { addAnswered, listAnswered, type AnsweredQuestion } from './answered.ts';

/** How questions are answered on a page. */
export interface Answering {
  readonly answer: (question: ApprovalView, given: Answer) => Promise<void>;
  /** The latest answers of this tab, newest first. */
  readonly answered: readonly AnsweredQuestion[];
  /** Why the program did not take an answer. */
  readonly refusalOf: (id: string) => string | undefined;
  /** The same for a question that is no longer shown. */
  readonly lostRefusal: string | undefined;
}

/**
 * Sends answers, and keeps the reason if the program does not take one. Ignores further answers to the same question: a
 * second press of a key is not an error, and does not overtake the first.
 */
export function useAnswering(questions: readonly ApprovalView[]): Answering {
  const [refusal, setRefusal] = useState<{ readonly id: string; readonly text: string }>();
  const [answered, setAnswered] = useState(listAnswered);
  const sent = useRef(new Set<string>());
  return {
    answered,
    async answer(question, given) {
      if (sent.current.has(question.id)) return;
      sent.current.add(question.id);
      setRefusal(undefined);
      try {
        await send(`approvals/${encodeURIComponent(question.id)}`, given);
        addAnswered(question, given.action === 'allow');
        setAnswered(listAnswered());
      } catch (error) {
        sent.current.delete(question.id);
        setRefusal({ id: question.id, text: error instanceof Error ? error.message : String(error) });
      }
    },
    refusalOf: (id) => (refusal?.id === id ? refusal.text : undefined),
    lostRefusal: questions.some(({ id }) => id === refusal?.id) ? undefined : refusal?.text,
  };
}

/** The answer that a pressed key gives to the marked question; undefined for other keys. */
export function answerOfKey({ key, repeat, metaKey, ctrlKey, altKey }: KeyboardEvent): Answer | undefined {
  if (repeat || metaKey || ctrlKey || altKey) return undefined;
  if (key === 'a') return { action: 'allow', scope: 'once' };
  return key === 'd' ? { action: 'deny', reason: '' } : undefined;
}
