import { createRandom } from '../../random.ts';
import type { Random } from '../../random.ts';
import type { Call } from '../calls/call.ts';
import type { TextCase } from '../calls/text-case.ts';
import { notations } from './notations.ts';
import type { Notation } from './notations.ts';
import { makePlainCall, toolsOfOutputs } from './plain-tools.ts';

const introductions = [
  "Sure! Here's the call:\n",
  'I will look that up for you.\n\n',
  'To answer this, I need to use a tool.\n',
  "Okay, let's do it.\n\n",
  'Here are the function calls you need:\n\n',
  'Based on your request, the following call is made:\n',
  '好的，我来查询。\n',
] as const;
const comments = [
  'This will give the result that you asked for.',
  'Note: the default unit is used, since none was given.',
  "I've chosen the values as you said. Let me know if you need anything else!",
  'Explanation: the first argument is the place, the second one the date.',
  '(waiting for the result)',
] as const;
const tokensBefore = [
  '<|im_start|>assistant\n',
  '<|assistant|>',
  'assistant\n',
  '<|start_header_id|>assistant<|end_header_id|>\n\n',
  '<s>',
  '[/INST] ',
  '<start_of_turn>model\n',
  '<think>\nOne call is enough.\n</think>\n\n',
  '<think>\n\n</think>\n\n',
] as const;
const tokensAfter = [
  '<|im_end|>',
  '</s>',
  '<|eot_id|>',
  '<end_of_turn>',
  '<|endoftext|>',
  '<|end|>',
  '\n<|im_end|>\n<|im_start|>user',
  '</s></s>',
  '[/INST]',
] as const;

/** The name under which they are counted. */
export const outputsName = 'as models write';

/** Messages of models that deviate from their training format: several habits at once. */
export function makeOutputs(split: string, perNotation: number, only?: string): readonly TextCase[] {
  return notations
    .filter(({ name }) => only === undefined || name === only)
    .flatMap((notation) =>
      Array.from({ length: Math.ceil(perNotation * notation.weight) }, (_, index) => {
        const id = `${split}/${outputsName}/${notation.name}/${index}`;
        const random = createRandom(id);
        for (let attempt = 0; attempt < 50; attempt += 1) {
          const made = makeOne(notation, id, random);
          if (made !== undefined) return made;
        }
        return undefined;
      }),
    )
    .filter((made) => made !== undefined);
}

function makeOne(notation: Notation, id: string, random: Random): TextCase | undefined {
  const count = notation.single === true || random.chance(0.6) ? 1 : random.whole(2, 3);
  const calls: Call[] = [];
  for (let attempt = 0; calls.length < count && attempt < 100; attempt += 1) {
    const call = makePlainCall(random);
    if (notation.suits?.(call) ?? true) calls.push(call);
  }
  if (calls.length < count || new Set(calls.map((call) => JSON.stringify(call))).size < count) return undefined;
  const written = notation.write(calls, random);
  const { text, habits } = dress(written, notation, random);
  return {
    id,
    envelope: outputsName,
    form: [notation.name, ...habits].join(' + '),
    kind: 'clean',
    text,
    expected: calls,
    tools: toolsOfOutputs,
    ...(random.chance(0.7) ? { stopped: 'stop' } : {}),
  };
}

/**
 * Adds the text that models put around calls: prose on at most one side, since prose on both sides makes the call an
 * explanation.
 */
function dress(
  written: string,
  notation: Notation,
  random: Random,
): { readonly text: string; readonly habits: readonly string[] } {
  const habits: string[] = [];
  let text = written;
  let isFenced = false;
  if (notation.languages !== undefined && !written.includes('```') && random.chance(0.3)) {
    isFenced = true;
    const isClosed = random.chance(0.85);
    habits.push(isClosed ? 'fence' : 'open fence');
    text = `\`\`\`${random.pick(notation.languages)}\n${text}${isClosed ? '\n```' : ''}`;
    if (!isClosed) return { text, habits };
  }
  if (notation.mayFollowProse && random.chance(0.25)) {
    habits.push('prose before');
    return { text: random.pick(introductions) + text, habits };
  }
  if ((isFenced || notation.mayRunOn) && random.chance(0.35)) {
    habits.push('runs on');
    return { text: `${text}${random.pick(['\n', '\n\n'])}${random.pick(comments)}`, habits };
  }
  if (random.chance(0.12)) {
    habits.push('token before');
    text = random.pick(tokensBefore) + text;
  }
  if (random.chance(0.2)) {
    habits.push('token after');
    text += random.pick(tokensAfter);
  }
  return { text, habits };
}
