import { readCallLiterals } from '../notations/code/read-call-literals.ts';
import { readNamedCall } from '../notations/json/read-named-json-call.ts';
import type { Envelope, Found } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { beforeResult, numbered, observationLabels, stepNumber } from '../source/agent-labels.ts';
import type { GrowingText, Reading } from '../source/growing-text.ts';

const label = `(?:Action${stepNumber}|行动|动作)[:：]`;
const word = '[^\\s`*"()[\\]{}<>]';
const actionPattern = new RegExp(
  `${label}[*]{0,2}[ \\t]{0,9}[\`*"]{0,3}(${word}{1,64}(?: ${word}{1,64}){0,9})[\`*"]{0,3}[ \\t]{0,9}(?:\\r?\\n[ \\t]{0,9}){1,2}[*]{0,2}(?:Action[ _][Ii]nput${stepNumber}|行动输入|动作输入)[:：][*]{0,2}[ \\t]{0,9}(?:\`(?!\`))?`,
  'y',
);
const bracketPattern = new RegExp(`${label}[ \\t]{0,9}([\\w.:-]{1,128})[ \\t]{0,3}[[(](?=\\{)`, 'y');
const linePattern = new RegExp(
  `(${label}[ \\t]{0,9})([^\\s\`*"()[\\]{}<>:：]{1,128})(?:(?=\\()|(?=[ \\t\\r]{0,9}(?![^\\n]))|\\[([^\\n]{0,400})\\][ \\t]{0,9}(?![^\\n])|: {1,4}([^\\n]{1,400}))`,
  'y',
);
const thought = new RegExp(`(?:^|\\n)[*]{0,2}(?:Thought${stepNumber}|思考)[*]{0,2}[:：]`);
const maxThought = 480;
const observations = observationLabels.map((one) => `\n${one}`);
// The model was stopped inside the label of a result.
const stoppedLabel = new RegExp(`\\nObservation${stepNumber}$`);
// The labels that end an argument written as plain text.
const nextLabels = [
  'Final Answer:',
  'Thought:',
  'Action:',
  ...['思考', '观察', '行动', '动作'].flatMap((one) => [`${one}：`, `${one}:`]),
];

/** `Action: ports_at("Olbia")`, `Action: ports_at[Olbia]`, `Action: ports_at: Olbia`, `Action: list_ports`, `Action: list_ports[]`, after a thought. */
function* readLine(source: GrowingText, start: number): Reading<Found | undefined> {
  const [whole = '', before = '', name = '', listed, plain] = (yield* source.matchAt(linePattern, start)) ?? [];
  if (!source.tools.some((tool) => tool.name === name)) return undefined;
  const previous = source.text.slice(Math.max(0, start - maxThought), start);
  const thoughtAt = previous.search(thought);
  // A trace that a label introduces is shown.
  const isThought = thoughtAt !== -1 && !/[:：]\s*$/.test(previous.slice(0, thoughtAt));
  if (!isThought && previous.trim() !== '') return undefined;
  const isCode = source.text[start + whole.length] === '(';
  const place = { layout: {}, closers: [], isLikely: true };
  const code = isCode ? yield* readCallLiterals(source, start + before.length, place) : undefined;
  if (isCode && code === undefined) return undefined;
  const text = (listed ?? plain)?.trim() || [];
  const end = code?.end ?? start + whole.length;
  const first = yield* source.skipSpace(end);
  const next = yield* skipLines(source, first);
  const isPaused =
    (yield* source.needleAt(['PAUSE', ...observationLabels, '观察'], next)) !== undefined ||
    (yield* source.matchAt(actionPattern, next)) !== null ||
    (yield* source.matchAt(linePattern, next)) !== null;
  if (!isPaused && !(isThought && next >= source.text.length)) return undefined;
  // At the end of the text, the arguments may be missing or cut.
  const isWholeLine = source.text[end] === '\n' || source.stopped === 'stop';
  const isWhole = listed !== undefined || (plain !== undefined && isWholeLine);
  const ending = isPaused || next > first || isWhole ? 'closed' : 'open';
  return code ?? { end, calls: [{ name, arguments: text, ending, risk: 'lossy', repairs: [] }] };
}

const maxLines = 8;

/** Returns the offset after the next actions that consist of one line, at most eight. */
function* skipLines(source: GrowingText, from: number): Reading<number> {
  let at = from;
  for (let count = 0; count < maxLines; count += 1) {
    if ((yield* source.matchAt(actionPattern, at)) !== null) return at;
    const line = yield* source.matchAt(linePattern, at);
    if (line === null || source.text[at + line[0].length] === '(') return at;
    at = yield* source.skipSpace(at + line[0].length);
  }
  return at;
}

/** `Action: weather_at⏎Action Input: {"city": "Olbia"}⏎Observation:` or `Action 1: ports_at[Olbia]`. */
export const react: Envelope = growingEnvelope(
  {
    name: 'react',
    tier: 2,
    openers: [...numbered('Action'), '行动：', '行动:', '动作：', '动作:'],
  },
  function* (source, start, _body, watch, { closers }) {
    // Matches at the beginning of a line, or after a closing tag.
    if (start > 0 && source.text[start - 1] !== '\n' && source.text[start - 1] !== '>') return undefined;
    const match = (yield* source.matchAt(actionPattern, start)) ?? (yield* source.matchAt(bracketPattern, start));
    const name = match?.[1];
    if (match === null || name === undefined) return yield* readLine(source, start);
    // A name of several words is that of a declared tool, or a sentence.
    if (/\s/.test(name) && resolveName(source.tools, name) === undefined) return undefined;
    const body = start + match[0].length;
    const isBracketed = /[[(]$/.test(match[0]);
    const first = yield* source.skipSpace(body);
    const one = yield* readNamedCall(source, name, body, isBracketed ? [']', ')'] : observationLabels, watch);
    if (one !== undefined) {
      const end = yield* beforeResult(source, one.end);
      // Missing closers were added, and comments skipped, in the line of the result.
      const within = (offset: number): number => Math.min(offset, end);
      const repairs = one.call.repairs.map((repair) =>
        repair.end > end ? { ...repair, start: within(repair.start), end } : repair,
      );
      return { end, calls: [{ ...one.call, repairs }] };
    }
    // Numbered lines end the input of a numbered step only.
    const isNumbered = /Action \d/.test(match[0]);
    const labels = [...nextLabels, ...(isNumbered ? ['Thought', 'Action'].flatMap(numbered) : []), ...closers];
    const results = isNumbered ? observations : observations.slice(0, 1);
    const stop = yield* source.findFirst([...results, ...labels.map((one) => `\n${one}`)], body);
    const { text, stopped } = source;
    const inputEnd = stop.at === -1 ? text.length : stop.at;
    const end = inputEnd + (observations.includes(stop.needle) ? stop.needle.length : 0);
    const input = text.slice(body, inputEnd);
    const written = (stop.at === -1 ? input.replace(stoppedLabel, '') : input).trim();
    const plain = match[0].endsWith('`') ? written.replace(/`$/, '') : written;
    const value = /^```\w*\n([^]*?)\n?```$/.exec(plain)?.[1] ?? plain;
    // A line of text ends with its line break, and a string with its quote. Both also end when the model stops by itself.
    const isFinished =
      stop.at !== -1 || stopped === 'stop' || /^(?:[^`\n]+\n|"(?:[^"\\]|\\.)*")\s*$/.test(text.slice(first));
    const ending = isFinished ? 'closed' : 'cut';
    return {
      end: yield* beforeResult(source, end),
      calls: [{ name, arguments: value, ending, risk: 'lossy', repairs: [] }],
    };
  },
);
