import { useState } from 'react';
import { send } from '../data/request.ts';

/** Returns a function that sends an action to a path, and why the program did not take the latest one. */
export function useAction(path: string): readonly [problem: string, act: (body: object) => void] {
  const [problem, setProblem] = useState('');
  const act = (body: object): void => {
    setProblem('');
    send(path, body).catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return [problem, act];
}
