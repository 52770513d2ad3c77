import type { AskUser } from './permission-question.ts';
import { createQuestionLine } from './question-line.ts';

/**
 * Makes the questions of all sessions, and of all engines that get the returned function, wait for one another. Use it
 * where one person sees one question at a time, such as at a terminal. A question whose call was cancelled while it
 * waited is not asked.
 */
export function oneAtATime(ask: AskUser): AskUser {
  const line = createQuestionLine();
  return (question, signal, setQuestionsAhead) => {
    setQuestionsAhead?.(line.length);
    return line.run(signal, () => {
      setQuestionsAhead?.(0);
      return ask(question, signal, setQuestionsAhead);
    });
  };
}
