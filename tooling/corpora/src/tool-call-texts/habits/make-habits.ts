import { createRandom } from '../../random.ts';
import type { TextCase } from '../calls/text-case.ts';
import { plainKit, type ToolKit } from './tool-kits.ts';
import { habits } from './write-habits.ts';
import { labelledMentions } from './write-labelled-mentions.ts';
import { labelledHabits } from './write-labelled.ts';
import { mentions } from './write-mentions.ts';
import { surroundedHabits, surroundedMentions } from './write-surrounded.ts';
import { unread } from './write-unread.ts';

const maxTries = 40;

/** Creates messages with calls in habitual forms: the given number of each sort. */
export function makeHabits(split: string, perHabit: number, { tools, make }: ToolKit = plainKit): readonly TextCase[] {
  return [...habits, ...labelledHabits, ...surroundedHabits].flatMap(({ name, write }) =>
    Array.from({ length: perHabit }, (_, index): readonly TextCase[] => {
      for (let tried = 0; tried < maxTries; tried += 1) {
        const id = `${split}/habit/${name}/${index}/${tried}`;
        const random = createRandom(id);
        const expected = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => make(random));
        const isDistinct = new Set(expected.map((call) => JSON.stringify(call))).size === expected.length;
        const text = isDistinct ? write(expected, random) : undefined;
        if (text === undefined) continue;
        return [{ id, envelope: name, form: 'habit', kind: 'clean', text, expected, tools, stopped: 'stop' }];
      }
      return [];
    }).flat(),
  );
}

/** Creates messages that show or mention calls without making one: the given number of each sort. */
export function makeMentions(split: string, perSort: number, { tools, make }: ToolKit = plainKit): readonly TextCase[] {
  return [...mentions, ...labelledMentions, ...surroundedMentions].flatMap(({ name, write }) =>
    Array.from({ length: perSort }, (_, index): TextCase => {
      const id = `${split}/talk/${name}/${index}`;
      const random = createRandom(id);
      const text = write(make(random), random);
      return {
        id,
        envelope: name,
        form: 'talk',
        kind: 'no call',
        text,
        expected: [],
        tools,
        stopped: 'stop',
      };
    }),
  );
}

/**
 * Creates messages with text that looks like a call and cannot be run: the given number of each sort, in each place of a
 * message.
 */
export function makeUnread(split: string, perSort: number, { tools, make }: ToolKit = plainKit): readonly UnreadCase[] {
  return unread.flatMap(({ name, write }) =>
    places.flatMap(({ place, around }) =>
      Array.from({ length: perSort }, (_, index): readonly UnreadCase[] => {
        const id = `${split}/unread/${name}/${place}/${index}`;
        const random = createRandom(id);
        const call = make(random);
        const written = write(call, random);
        if (written === undefined) return [];
        const text = around(written.text, written.language ?? '');
        const named = written.named ?? call.name;
        return [
          { id, envelope: name, form: place, kind: 'no call', text, expected: [], tools, stopped: 'stop', named },
        ];
      }).flat(),
    ),
  );
}

/** A message whose call is reported and not made. */
export interface UnreadCase extends TextCase {
  /** The expected name in the report. */
  readonly named: string;
}

const places = [
  { place: 'a fence', around: (text: string, language: string) => `\`\`\`${language}\n${text}\n\`\`\`` },
  {
    place: 'a fence amid prose',
    around: (text: string, language: string) =>
      `I will do that now.\n\n\`\`\`${language}\n${text}\n\`\`\`\n\nThat is all I need.`,
  },
  { place: 'alone', around: (text: string) => text },
  { place: 'amid prose', around: (text: string) => `Das mache ich jetzt.\n\n${text}\n\nMehr brauche ich nicht.` },
] as const;
