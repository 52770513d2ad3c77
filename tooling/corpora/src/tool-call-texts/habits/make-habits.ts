import { createRandom } from '../../random.ts';
import { makePlainCall, toolsOfOutputs } from '../outputs/plain-tools.ts';
import type { TextCase } from '../calls/text-case.ts';
import { habits } from './write-habits.ts';
import { talks } from './write-talk.ts';

const MOST_TRIED = 40;

/** Makes messages in which calls are made out of habit: so many of each sort. */
export function makeHabits(split: string, perHabit: number): readonly TextCase[] {
  return habits.flatMap(({ name, write }) =>
    Array.from({ length: perHabit }, (_, index): readonly TextCase[] => {
      for (let tried = 0; tried < MOST_TRIED; tried += 1) {
        const id = `${split}/habit/${name}/${index}/${tried}`;
        const random = createRandom(id);
        const expected = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => makePlainCall(random));
        const text = write(expected, random);
        if (text === undefined) continue;
        return [
          { id, envelope: name, form: 'habit', kind: 'clean', text, expected, tools: toolsOfOutputs, stopped: 'stop' },
        ];
      }
      return [];
    }).flat(),
  );
}

/** Makes messages that show calls, or talk of them, and make none: so many of each sort. */
export function makeTalk(split: string, perSort: number): readonly TextCase[] {
  return talks.flatMap(({ name, write }) =>
    Array.from({ length: perSort }, (_, index): TextCase => {
      const id = `${split}/talk/${name}/${index}`;
      const random = createRandom(id);
      const text = write(makePlainCall(random), random);
      return {
        id,
        envelope: name,
        form: 'talk',
        kind: 'no call',
        text,
        expected: [],
        tools: toolsOfOutputs,
        stopped: 'stop',
      };
    }),
  );
}
