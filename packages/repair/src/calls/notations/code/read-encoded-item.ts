import type { Found } from '../../contract/envelope.ts';
import { endedText, type GrowingText, matchAt, type Reading, readToEnd } from '../../source/growing-text.ts';
import { parseJson } from '../../source/parse-json.ts';

// A string that contains a backslash and begins with a call.
const encodedCallPattern = /"(?=\s{0,9}[A-Za-z_$][\w$.\\-]{0,127}\()(?:[^"\\\n]|\\.){1,4000}"(?=\s{0,9}[,\]])/y;

/** Reads a list item that is a JSON string with escapes and contains a call: `"f(a=\"x\")"`. */
export function* readEncodedItem(
  source: GrowingText,
  at: number,
  read: (source: GrowingText, from: number, place: LiteralPlace) => Reading<Found | undefined>,
): Reading<Found | undefined> {
  if (source.text[at] !== '"') return undefined;
  const [string] = (yield* matchAt(source, encodedCallPattern, at)) ?? [];
  const text = string?.includes('\\"') === true ? parseJson(string) : undefined;
  if (string === undefined || typeof text !== 'string') return undefined;
  const inner = endedText({ ...source, text });
  const found = readToEnd(read(inner, 0, { layout: { isList: true }, closers: [], isCertain: false }));
  if (found === undefined || text.slice(found.end).trim() !== '') return undefined;
  const end = at + string.length;
  // Offsets in the decoded text differ from those in the message.
  const calls = found.calls.map((call) => ({
    ...call,
    repairs: call.repairs.map((repair) => ({ ...repair, start: at, end })),
  }));
  return { calls, end };
}

/** The allowed layout of calls written as code. */
export interface CallLiteralLayout {
  /** Whether the calls may be in brackets, `[f(a=1), g()]`. */
  readonly isList?: boolean;
  /** Whether the calls may be in a program: `x = f(a=1)`, `await f()`, `print(f(a=1))`, with comments in between. */
  readonly isProgram?: boolean;
}

/** The context of calls written as code. */
export interface LiteralPlace {
  readonly layout: CallLiteralLayout;
  /** The texts that may end the calls. They may be missing. */
  readonly closers: readonly string[];
  /** Whether a declared tool's name and a parenthesis make a call, which is reported if it cannot be read. */
  readonly isCertain: boolean;
}
