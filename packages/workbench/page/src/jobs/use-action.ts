import { useState } from 'react';
import { send } from '../data/request.ts';

/**
 * Returns a function that sends an action to a path, and why the program did not take the latest one. `onDone` is called
 * when the program has taken it.
 */
export function useAction(path: string): readonly [problem: string, act: (body: object, onDone?: () => void) => void] {
  const [problem, setProblem] = useState('');
  const act = (body: object, onDone?: () => void): void => {
    setProblem('');
    send(path, body).then(onDone, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  return [problem, act];
}
