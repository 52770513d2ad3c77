import { createRandom } from '../../random.ts';
import { makePlainCall, toolsOfOutputs } from '../outputs/plain-tools.ts';
import type { TextCase } from '../calls/text-case.ts';
import { habits } from './write-habits.ts';
import { mentions } from './write-mentions.ts';

const maxTries = 40;

/** Creates messages with calls in habitual forms: the given number of each sort. */
export function makeHabits(split: string, perHabit: number): readonly TextCase[] {
  return habits.flatMap(({ name, write }) =>
    Array.from({ length: perHabit }, (_, index): readonly TextCase[] => {
      for (let tried = 0; tried < maxTries; tried += 1) {
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

/** Creates messages that show or mention calls without making one: the given number of each sort. */
export function makeMentions(split: string, perSort: number): readonly TextCase[] {
  return mentions.flatMap(({ name, write }) =>
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
