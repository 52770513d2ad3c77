import { isDeepStrictEqual } from 'node:util';
import type { Scenario } from './scenarios.ts';
import type { WireRequest } from './scripted-server.ts';

/** The observations of one run of an agent. */
export interface ObservedRun {
  /** Arguments that reached the tool, in order. */
  readonly received: readonly unknown[];
  readonly requests: readonly WireRequest[];
  /** Whether the agent reported that its run failed. */
  readonly hasFailed: boolean;
}

/** The behaviour, in the words of the table. */
export type Behaviour =
  | 'runs as meant'
  | 'runs the cut value'
  | 'runs another value'
  | 'fails, model told why'
  | 'fails, model not told why'
  | 'run ends'
  | 'nothing happens';

/** Behaviours that a model can continue from. */
export const goodBehaviours: ReadonlySet<Behaviour> = new Set<Behaviour>(['runs as meant', 'fails, model told why']);

/** Derives the behaviour from the arguments that the tool received and from the following messages to the model. */
export function judgeBehaviour({ meant, thrown, answer, why }: Scenario, run: ObservedRun): Behaviour {
  const { received, requests, hasFailed } = run;
  if (received.length > 0 && thrown === undefined) {
    if (received.length === 1 && isDeepStrictEqual(received[0], meant)) return 'runs as meant';
    return answer.finishReason === 'length' ? 'runs the cut value' : 'runs another value';
  }
  const [first, second] = requests;
  if (first === undefined) throw new Error('the agent sent no request');
  if (second === undefined) return hasFailed ? 'run ends' : 'nothing happens';
  const messages = second.messages.slice(first.messages.length).filter(({ role }) => role !== 'assistant');
  return why.test(JSON.stringify(messages)) ? 'fails, model told why' : 'fails, model not told why';
}
