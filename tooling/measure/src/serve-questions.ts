/** What a question carries so that its answer can be told from others. */
export interface Question {
  readonly id: string;
}

/** Answers questions in a process that `askGuarded` started, one after another, until the one who asks is gone. */
export function serveQuestions(answer: (question: never) => Promise<object>): void {
  if (process.send === undefined) throw new Error('started by askGuarded only');
  // One after another: what is answered at once must not overtake what still takes a while.
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
