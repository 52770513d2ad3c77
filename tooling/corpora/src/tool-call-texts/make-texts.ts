import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { makeCall, offeredTools, trimTexts } from './calls/call.ts';
import type { Call } from './calls/call.ts';
import type { Enclosed, Form, WrittenCall } from './calls/form.ts';
import { forms } from './forms/index.ts';
import type { TextCase } from './calls/text-case.ts';

const openings = [
  'I will look into it.',
  "Let me check that first; it won't take long.",
  'Sure, one moment.',
  'I need two facts before I answer (see above).',
  'Zuerst lese ich die Datei.',
  '了解しました。',
] as const;
const closings = [
  'I will report back when it is done.',
  "That's the first step.",
  'Waiting for the result.',
  'OK?',
] as const;
const thoughts = [
  '<think>The user wants this done now. One call is enough.</think>',
  '<think>\nFirst the file, then the rest. {a: 1}\n</think>\n',
  '<thinking>Nothing else is needed.</thinking>\n',
] as const;
const endTokens = ['<|im_end|>', '</s>', '<|eot_id|>', '<|endoftext|>'] as const;

/** The message of a form, and the position of the last call's arguments. */
export interface Message extends Enclosed {
  readonly calls: readonly Call[];
  readonly lastArguments: readonly [number, number];
}

export function compose(form: Form, random: Random, count: number): Message | undefined {
  const calls: Call[] = [];
  for (let attempt = 0; calls.length < count && attempt < 200; attempt += 1) {
    const call = makeCall(random);
    const kept = form.trims === true ? trimTexts(call) : call;
    if (form.suits?.(kept) ?? true) calls.push(kept);
  }
  if (calls.length < count) return undefined;
  const written = calls.map((call): WrittenCall => ({
    name: call.name,
    args: form.writeArguments(call, random),
    call,
  }));
  const enclosed = form.enclose(written, random);
  const last = written.at(-1)?.args ?? '';
  // Notations that repeat the arguments as a string have them at the second position.
  const places = [last, JSON.stringify(last).slice(1, -1)].map(
    (text) => [enclosed.body.lastIndexOf(text), text.length] as const,
  );
  const [start, length] = places.find(([place]) => place >= 0) ?? [0, enclosed.body.length];
  return { ...enclosed, calls, lastArguments: [start, start + length] };
}

function countCalls(form: Form, random: Random): number {
  return form.calls === 'one' || random.chance(0.5) ? 1 : random.whole(2, 3);
}

type Make = (form: Form, random: Random, id: string) => TextCase | undefined;

const toCase = (
  form: Form,
  id: string,
  message: Pick<TextCase, 'kind' | 'text' | 'expected'> & Partial<TextCase>,
): TextCase => ({
  id,
  envelope: form.envelope,
  form: form.form,
  tools: offeredTools,
  ...message,
});

const makeClean: Make = (form, random, id) => {
  const message = compose(form, random, countCalls(form, random));
  if (message === undefined) return undefined;
  return toCase(form, id, { kind: 'clean', text: message.body + message.closer, expected: message.calls });
};

/** Adds sentences before, after or on both sides, as the form allows. */
const makeInProse: Make = (form, random, id) => {
  const message = compose(form, random, countCalls(form, random));
  if (message === undefined) return undefined;
  // Text after an unmarked call that prose introduces makes it an example, so such text follows only a call that opens
  // the message.
  const sides = [form.opensMessage !== true, form.endsMessage !== true] as const;
  if (!sides[0] && !sides[1]) return undefined;
  const before = sides[0] && (!sides[1] || random.chance(0.6)) ? random.pick(openings) : '';
  const after = sides[1] && (before === '' || random.chance(0.4)) ? random.pick(closings) : '';
  const [gap, end] = [random.pick(['\n', '\n\n', '\n']), random.pick(['\n', '\n\n'])];
  const text = (before === '' ? '' : before + gap) + message.body + message.closer + (after === '' ? '' : end + after);
  const left = [before, after].filter((part) => part !== '').join('\n');
  return toCase(form, id, {
    kind: 'prose',
    text,
    expected: message.calls,
    ...(form.leavesText === true ? {} : { left }),
  });
};

/** Adds reasoning before, an end token after, and white space around. */
const makeWithTokens: Make = (form, random, id) => {
  const message = compose(form, random, countCalls(form, random));
  if (message === undefined) return undefined;
  const before = form.opensMessage !== true && random.chance(0.6) ? random.pick(thoughts) : '';
  const after = before === '' || random.chance(0.4) ? random.pick([...endTokens, '\n\n', '  \n']) : '';
  return toCase(form, id, {
    kind: 'noise',
    text: before + message.body + message.closer + after,
    expected: message.calls,
  });
};

/** Cuts within the arguments of the last call. That call must not be found; those before it must. */
const makeCut: Make = (form, random, id) => {
  if (form.envelope === 'mangled') return undefined;
  const message = compose(form, random, form.calls === 'repeat' && random.chance(0.5) ? 2 : 1);
  if (message === undefined) return undefined;
  const [start, end] = message.lastArguments;
  if (end - start < 8) return undefined;
  const text = message.body.slice(0, random.whole(start + 2, end - 2));
  return toCase(form, id, { kind: 'cut', text, expected: message.calls.slice(0, -1), stopped: 'length' });
};

/** Omits only the closer of the envelope: the text still contains a call. */
const makeUnclosed: Make = (form, random, id) => {
  // The text that closes a call in call syntax closes its arguments too.
  if (/^\)|^\}/.test(form.enclose([], random).closer)) return undefined;
  const message = compose(form, random, countCalls(form, random));
  if (message === undefined || message.closer === '') return undefined;
  // A name at the end of the text may be the beginning of a longer one.
  const [start, end] = message.lastArguments;
  if (start === end) return undefined;
  return toCase(form, id, { kind: 'unclosed', text: message.body, expected: message.calls, stopped: 'stop' });
};

const kinds: readonly Make[] = [makeClean, makeInProse, makeWithTokens, makeCut, makeUnclosed];

/** Creates texts of every form: the given number of each kind that the form supports. */
export function makeTexts(split: string, perKind: number, only?: string): readonly TextCase[] {
  return forms
    .filter(({ envelope }) => only === undefined || envelope === only)
    .flatMap((form) =>
      kinds.flatMap((make, kind) => makeSome(form, make, `${split}/${form.envelope}/${form.form}/${kind}`, perKind)),
    );
}

function makeSome(form: Form, make: Make, seed: string, count: number): readonly TextCase[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `${seed}/${index}`;
    const random = createRandom(id);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const made = make(form, random, id);
      if (made !== undefined) return made;
    }
    return undefined;
  }).filter((made) => made !== undefined);
}
