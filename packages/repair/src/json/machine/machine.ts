import type { Delimiter } from '../text/delimiters.ts';
import type { JsonValue } from '../result/json-value.ts';
import type { Limits } from '../result/repair-options.ts';
import type { Repair, RepairErrorCode, RepairRisk } from '../result/repair-result.ts';
import type { Shape } from '../result/declared-shape.ts';

/** An object while it is being read. */
export type OpenObject = { [key: string]: JsonValue };

/** An open container. `call` is the parentheses of a call, in which keys are optional. */
export interface Frame {
  readonly kind: 'object' | 'array' | 'call';
  /** The character that closes it. */
  readonly closer: number;
  /** The offset of its opener. */
  start: number;
  readonly members: OpenObject;
  readonly items: JsonValue[];
  /** The key of the next value. `undefined` in lists, and in calls for a value given by position. */
  key: string | undefined;
  /** The offset of the last comma as long as nothing follows it, or -1. */
  comma: number;
  /** Its declared shape, if a schema was given. */
  readonly shape: Shape | undefined;
  /** Whether an unquoted key has been read, so that the next one may be unquoted too. */
  hasBareKeys: boolean;
  /** Whether its brace is doubled. */
  isDoubled: boolean;
  /** A Bloom filter of the keys so far, by their length and ends: if the bit of a key is not set, the key is new. */
  keyBits: number;
}

/** The name of a state. `states/advance.ts` maps it to its function. */
export type State = FirstState | 'beforeKey' | 'afterKey' | 'afterValue' | 'readString';

/** The state in which reading begins. */
export type FirstState = 'beforeValue' | 'members' | 'arguments';

/** The kind of the last value, which determines what a following character can mean. */
export type ValueKind = 'none' | 'string' | 'number' | 'word' | 'container';

/** The default of `limits.depth`. */
export const defaultDepth = 1_000;

/** Limits of reading, all of them given. `size` was checked before. */
type OwnLimits = Required<Omit<Limits, 'size'>>;

/** Fills in the default limits. */
function withDefaults({
  depth = defaultDepth,
  repairs = 10_000,
  backtracks = 16,
  duplicateKeys = 'last',
  unsafeIntegers = 'round',
}: Limits): OwnLimits {
  return { depth, repairs, backtracks, duplicateKeys, unsafeIntegers };
}

/** The input of a machine: the text, the offset, the first state, and what is known about the text. */
type MachineStart = Pick<Machine, 'text' | 'at' | 'ended' | 'state'> &
  Partial<Pick<Machine, 'mayUseFastPath' | 'followsLayout' | 'stopped' | 'isClosed' | 'shape'>> & {
    readonly limits?: Limits | undefined;
  };

/** The state of reading one value. Plain data; states and fixes are functions over it. */
export class Machine {
  /** The offset at which reading began, in a complete text. */
  readonly start: number;
  /** The text so far. All offsets count from its beginning. A stream drops what was read, and moves all offsets. */
  text: string;
  at: number;
  /** Whether `text` is complete. Until then, a state that reaches its end waits. */
  ended: boolean;
  /** Whether `fast-path.ts` may read usual text: the same result, faster. Needs a complete text. */
  readonly mayUseFastPath: boolean;
  /** Whether a key in the column of an outer object closes the objects inside it. */
  readonly followsLayout: boolean;
  /** Set if a lookahead reached the end of a text that may still grow. */
  needsMore = false;
  state: State;
  /** Why the text ended, if that is known: the model stopped by itself, or was cut. */
  readonly stopped: 'stop' | 'length' | undefined;
  /** Whether a closing tag follows the text, so that a number at its end is complete. */
  readonly isClosed: boolean;
  readonly limits: OwnLimits;
  /** The declared shape of the whole value, if a schema was given. */
  readonly shape: Shape | undefined;

  readonly frames: Frame[] = [];
  /** The innermost open container. */
  frame: Frame | undefined;
  root: JsonValue | undefined;
  /** Values given by position in the root's `call` frame. */
  positional: readonly JsonValue[] = [];
  /** The end of the root value, or -1 while it is open. */
  rootEnd = -1;

  /** The string being read. */
  token: StringToken | undefined;
  last: ValueKind = 'none';
  lastStart: number;

  readonly repairs: Repair[] = [];
  risk: 'none' | RepairRisk = 'none';
  backtracks = 0;
  /** Whether a value in double quotes that never ended was read again with its likeliest end. */
  hasGuessedEnd = false;
  /** Number of characters that long lookaheads have read beyond the cursor. */
  lookaheadCost = 0;
  /** How the text ended inside the value: after a complete value, or inside something. */
  ending: 'closed' | 'open' | 'cut' = 'closed';
  /** Containers without their closer because the text ended, outermost first. */
  unclosed: readonly JsonValue[] = [];
  /** The key whose value was expected or incomplete at the end of the text, in the innermost of `unclosed`. */
  cutKey: string | undefined;
  failure: Failure | undefined;
  /** Strings with an ambiguous end: the text after it may belong to them. */
  readonly ambiguous: AmbiguousString[] = [];
  /** The last sign that was used instead of a colon, if any. */
  colon = '';
  /** What two quotes at the ends of a value are, as a key in two quotes or a text with inner quotes shows. */
  doubledQuotes: 'delimiters' | 'quotation' | undefined;
  /** Whether semicolons were used instead of commas. */
  hasSemicolons = false;
  /** Whether the closer of the root may belong to something without an end: a string, or a list inside it. */
  hasAmbiguousEnd = false;
  /** Whether a string or a list may have another end. A call is then rejected even if a closing tag shows that nothing was cut. */
  isUncertain = false;
  /** The last offsets of needles, so that repeated lookaheads take linear time in total. */
  readonly finds: Map<string, { from: number; found: number }> = new Map();
  /** The last offset at which a plain key was searched, and its end or -1. */
  keyAt = -1;
  keyEnd = -1;
  /** The last offset from which a backslash or control character was searched, and its offset. */
  oddSearched = 0;
  oddAt = -1;

  constructor(start: MachineStart) {
    this.start = start.at;
    this.text = start.text;
    this.at = start.at;
    this.lastStart = start.at;
    this.ended = start.ended;
    this.mayUseFastPath = start.ended && start.mayUseFastPath !== false;
    this.followsLayout = start.followsLayout === true;
    this.state = start.state;
    this.stopped = start.stopped;
    this.isClosed = start.isClosed === true;
    this.limits = withDefaults(start.limits ?? {});
    this.shape = start.shape;
  }
}

/** Why reading stopped without a value. */
export interface Failure {
  readonly code: RepairErrorCode;
  readonly message: string;
  readonly expected: string;
  readonly position: number;
}

const riskOrder = ['none', 'safe', 'lossy', 'truncated'] as const;

/** Returns the higher of two risks. */
export function graverRisk(one: 'none' | RepairRisk, other: 'none' | RepairRisk): 'none' | RepairRisk {
  return one === other || riskOrder.indexOf(one) > riskOrder.indexOf(other) ? one : other;
}

/** A string that may have been ended too early, because it has unusual quotes inside or around its end. */
interface AmbiguousString {
  /** The offset of the string. */
  readonly start: number;
  /** Number of containers that have to be closed after it. */
  readonly due: number;
}

/** A string while it is being read. */
export class StringToken {
  readonly role: 'key' | 'value';
  readonly delimiter: Delimiter;
  /** The offset of the opening delimiter. */
  start: number;
  /** The offset of the content. */
  begin: number;
  /** Text of an earlier string that this one continues. */
  readonly prefix: string;
  /** The state before it, for a second reading. */
  readonly mark: { readonly repairs: number; readonly risk: Machine['risk'] };
  /** Decoded text that a stream has already shown. `text` continues it. */
  head = '';
  /** The decoded text so far, including the prefix. */
  text: string;
  /** The offset of the content that has not been copied to `text` yet. */
  run: number;
  at: number;
  /** Whether it contains a quote that does not end it. */
  isDamaged = false;
  /** The first quote that may end it if no better one follows, or -1. */
  maybe = -1;
  /** The first quote that would end it if the braces before it were closed, or -1. Better than `maybe`. */
  probable = -1;
  /** Number of open braces and brackets in the content before `counted`. */
  depth = 0;
  counted: number;
  /** The white space before its key, if that begins a line. Undefined until it is needed. */
  indentation: string | undefined;
  /** Whether it contains a backslash that escapes nothing. */
  hasLone = false;
  /** Whether it contains an escaped letter, as in `\n`. */
  hasLetters = false;
  /** Its end, if an earlier reading determined it, or -1. */
  end = -1;
  /** The offset at which reading continues after `end`. */
  resume = -1;
  isRaw: boolean;

  constructor({ role, delimiter, start, begin, prefix, mark }: StringStart) {
    this.role = role;
    this.delimiter = delimiter;
    this.start = start;
    this.begin = begin;
    this.prefix = prefix;
    this.mark = mark;
    this.text = prefix;
    this.run = begin;
    this.at = begin;
    this.counted = begin;
    this.isRaw = delimiter.isRaw === true;
  }
}

type StringStart = Pick<StringToken, 'role' | 'delimiter' | 'start' | 'begin' | 'prefix' | 'mark'>;
