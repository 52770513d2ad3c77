/** The envelope of a question, with an id for its answer. */
export interface Question {
  readonly id: string;
}

/** Answers questions in a process that `askGuarded` started, one after another, until the parent ends. */
export function serveQuestions(answer: (question: never) => Promise<object>): void {
  if (process.send === undefined) throw new Error('started by askGuarded only');
  // Answers one question at a time, so that a quick answer does not overtake a slow one.
  let queue = Promise.resolve();
  process.on('message', (question: Question) => {
    const before = queue;
    queue = (async (): Promise<void> => {
      await before;
      process.send?.({ ...(await answer(question as never)), id: question.id });
    })();
  });
  process.on('disconnect', () => process.exit());
  process.send('ready');
}
