import { readValue } from '../../../json/document/read-value.ts';
import { contradicts } from '../../../json/result/contradicts.ts';
import { shapeOf } from '../../contract/argument-shape.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { createBoundSearch, endsAmbiguously, ownEnd, type ReadValue, type ValueEnd } from '../../source/call-bounds.ts';
import { type ArgumentsWatch, showFrom } from '../../source/call-watch.ts';
import type { Surroundings } from '../../source/growing-envelope.ts';
import { type GrowingText, optionsFor, type Reading } from '../../source/growing-text.ts';
import { readPlainCode } from './read-plain-code.ts';

/** The allowed layout of calls written as code. */
export interface CodeLayout {
  /** Whether the calls may be in brackets, `[f(a=1), g()]`. */
  readonly isList?: boolean;
  /** Whether the calls may be in a program: `x = f(a=1)`, `await f()`, `print(f(a=1))`, with comments in between. */
  readonly isProgram?: boolean;
}

export interface LiteralPlace extends Surroundings {
  readonly layout: CodeLayout;
}

/** The content of a call's parentheses, and the offset after them. */
interface ReadParentheses extends ValueEnd {
  readonly machine: ReadValue;
  readonly end: number;
  /** Number of characters that were searched for the end. */
  readonly looked: number;
}

/** Reads the content of the parentheses that open at an offset, up to the first bound at which they can be closed. */
export function* readParentheses(
  source: GrowingText,
  open: number,
  { closers, layout }: LiteralPlace,
  begun: ArgumentsWatch | undefined,
  tool: CallableTool | undefined,
): Reading<ReadParentheses> {
  // Without variables, a word is the text that it spells.
  const takesWords = layout.isList === true && layout.isProgram !== true;
  const shown = showFrom(source, open, begun?.code);
  const nextBound = createBoundSearch(source, open, { closers, openers: [], areBalanced: true }, shown);
  let first: ReadParentheses | undefined;
  for (;;) {
    const bound = yield* nextBound();
    const to = bound?.at ?? source.text.length;
    const machine = readContent(source, open, to, bound === undefined ? source.stopped : 'stop', takesWords, tool);
    const read = { ...ownEnd, machine, end: machine.rootEnd, looked: to - open };
    if (bound === undefined)
      return first !== undefined && machine.ending !== 'closed'
        ? first
        : { ...read, hasAmbiguousEnd: yield* endsAmbiguously(source, machine) };
    if (machine.failure === undefined && machine.ending === 'closed') {
      if (bound.kind === 'balanced' && (yield* endsAmbiguously(source, machine))) continue;
      return read;
    }
    const hasClosingTag = bound.kind === 'closer';
    const isInString = hasClosingTag && machine.repairs.some(({ code }) => code === 'cut-string');
    if (bound.kind === 'balanced' ? machine.failure === undefined : isInString) continue;
    const found = { ...read, end: bound.at, hasClosingTag, isInterrupted: bound.kind === 'call' };
    // A fence in a text may end a fence in the text of an argument: `f(a="""…`.
    if (!hasClosingTag || !machine.repairs.some(({ code }) => code === 'missing-close-quote')) return found;
    if (machine.repairs.every(({ code }) => code !== 'triple-quotes')) first ??= found;
  }
}

/**
 * Reads the arguments between two offsets with the reader of damaged JSON, or with that of plain code if the first reading
 * is not whole or lost something.
 */
function readContent(
  source: GrowingText,
  open: number,
  end: number,
  stopped: 'stop' | 'length' | undefined,
  takesWords: boolean,
  tool: CallableTool | undefined,
): ReadValue {
  const text = source.text.slice(0, end);
  const options = optionsFor(source, stopped);
  const machine = readListed(readValue(text, open + 1, 'arguments', options), takesWords);
  const asDeclared = (): ReadValue => {
    const shape = shapeOf(tool);
    if (shape === undefined || !contradicts(machine.root ?? null, shape)) return machine;
    const declared = readListed(readValue(text, open + 1, 'arguments', { ...options, shape }), takesWords);
    return declared.failure === undefined && declared.ending === 'closed' ? declared : machine;
  };
  const failure = { code: 'INVALID_JSON', message: '', expected: 'a value', position: open } as const;
  if (
    machine.repairs.some(({ code, start }) => /^(?:string-prefix|inner-quote)$/.test(code) && isComputed(text, start))
  )
    return { ...machine, failure };
  const isWhole = machine.failure === undefined && machine.ending === 'closed' && !machine.hasAmbiguousEnd;
  if (isWhole && machine.risk !== 'lossy') return asDeclared();
  const plain = readPlainCode(text, open + 1, tool, options, takesWords && machine.failure !== undefined);
  if (plain === undefined && machine.isUncertain) return { ...machine, failure };
  return plain ?? (isWhole ? asDeclared() : machine);
}

// `f"{city}, Italy"`, and the end of the string in `"Bari, " + country` and `"{}, Italy".format(city)`
const computedPattern =
  /r?fr?(["']{3}|["'])(?:(?!\1)[^\\{]|\\[^]){0,4000}\{|["']\s{0,9}(?:[+%]\s{0,9}[a-z_(]|\.\w{1,32}\()/iy;

/** Returns whether the string at an offset is part of a value that only the program knows. */
function isComputed(text: string, at: number): boolean {
  computedPattern.lastIndex = at;
  return computedPattern.test(text);
}

/** `[f(a=[1]]`: the bracket of the list around a call may close the call, too, if nothing else is damaged. */
function readListed(machine: ReadValue, isInList: boolean): ReadValue {
  const [only, ...others] = machine.repairs.filter(({ risk }) => risk === 'lossy');
  const isBracket = isInList && others.length === 0 && only?.code === 'wrong-closer' && only.end === machine.rootEnd;
  return isBracket ? { ...machine, hasAmbiguousEnd: false } : machine;
}
