import type { Delimiter } from '../text/delimiters.ts';
import type { JsonValue } from '../result/json-value.ts';
import type { RepairErrorCode } from '../result/repair-error-codes.ts';
import type { Repair, RepairRisk } from '../result/repair-result.ts';
import type { Shape } from '../result/shape.ts';

/** An object while it is being read. */
export type OpenObject = { [key: string]: JsonValue };

/** A container that has been opened and not closed yet. `call` is the parentheses of a call: keys optional. */
export interface Frame {
  readonly kind: 'object' | 'array' | 'call';
  /** The character that closes it. */
  readonly closer: number;
  /** Where its opener stands. */
  start: number;
  readonly members: OpenObject;
  readonly items: JsonValue[];
  /** The key whose value comes next; `undefined` in lists, and in calls for a value given by position. */
  key: string | undefined;
  /** Where the last comma stands while nothing follows it yet, or -1. */
  comma: number;
  /** What is declared of it, when a schema was given. */
  readonly shape: Shape | undefined;
  /** Whether a key has been written without quotes, so that the next one may be too. */
  hasBareKeys: boolean;
  /** A bit for each key so far, by its length and ends: one whose bit is not set has not been there. */
  keyBits: number;
}

/** The name of a step of reading. `states/steps.ts` maps it to its function. */
export type State =
  | 'beforeKey'
  | 'beforeValue'
  | 'afterKey'
  | 'afterValue'
  | 'readString'
  | 'readNumber'
  | 'readWord'
  | 'members'
  | 'arguments';

/** What kind of value was read last, which decides what a following character can mean. */
export type ValueKind = 'none' | 'string' | 'number' | 'word' | 'container';

/** Bounds with their defaults filled in. */
export interface MachineLimits {
  readonly depth: number;
  readonly repairs: number;
  readonly backtracks: number;
  readonly duplicateKeys: 'last' | 'report' | 'refuse';
  readonly unsafeIntegers: 'round' | 'report' | 'refuse';
}

/** Everything that reading one value needs to remember. Plain data: states and fixes are functions over it. */
export interface Machine {
  /** The text so far; offsets everywhere count from its beginning. */
  text: string;
  at: number;
  /** Whether `text` is all there will be. Until then a state that reaches its end waits. */
  ended: boolean;
  /** Whether what is written in the usual way may be read by `read-strict.ts`, which comes to the same sooner. */
  readonly mayShorten: boolean;
  /** Set when a look ahead ran out of text that may still come. */
  needsMore: boolean;
  state: State;
  /** Whether the model is known to have stopped by itself. */
  readonly stopped: boolean;
  readonly limits: MachineLimits;
  /** What is declared of the whole value, when a schema was given. */
  readonly shape: Shape | undefined;

  readonly frames: Frame[];
  /** The innermost open container. */
  frame: Frame | undefined;
  root: JsonValue | undefined;
  /** What the root's `call` frame was given by position. */
  positional: readonly JsonValue[];
  /** Where the root value ends, or -1 while it is open. */
  rootEnd: number;

  /** The string being read. */
  token: StringToken | undefined;
  last: ValueKind;
  lastStart: number;

  readonly repairs: Repair[];
  /** Repairs made beyond the number that is listed. */
  unlisted: number;
  risk: 'none' | RepairRisk;
  backtracks: number;
  /** How many characters have been looked at beyond where reading went on, in looks ahead that may go far. */
  lookaheadCost: number;
  /** How the text ended inside the value: after a finished value, or in the middle of something. */
  ending: 'closed' | 'open' | 'cut';
  /** Containers whose own closer is missing because the text ended, outermost first. */
  unclosed: readonly JsonValue[];
  /** The key whose value was due or being read when the text ended, in the innermost of `unclosed`. */
  cutKey: string | undefined;
  failure: Failure | undefined;
  /** Strings whose end was a choice: what comes after it could be more of them. */
  readonly uncertain: UncertainString[];
  /** The other sign that has stood last where a colon is due, if any has. */
  colon: string;
  /** Whether semicolons have stood where commas are due. */
  hasSemicolons: boolean;
  /** Whether the closer that ended the root may belong to something that never ended: a string, or a list inside it. */
  hasUncertainEnd: boolean;
  /** Where needles were last found, so that repeated looks ahead stay linear. */
  readonly finds: Map<string, { from: number; found: number }>;
  /** Keys that have been read, by a number made of their characters: the same ones come again and again. */
  readonly keys: string[];
}

/** Why reading stopped without a value. */
export interface Failure {
  readonly code: RepairErrorCode;
  readonly message: string;
  readonly expected: string;
  readonly position: number;
}

const riskOrder = ['none', 'safe', 'lossy', 'truncated'] as const;

/** The graver of two risks. */
export function graverRisk(one: 'none' | RepairRisk, other: 'none' | RepairRisk): 'none' | RepairRisk {
  return one === other || riskOrder.indexOf(one) > riskOrder.indexOf(other) ? one : other;
}

/** What is needed to begin: the text, where to begin, and with which step. */
export interface MachineStart {
  readonly text: string;
  readonly at: number;
  readonly ended: boolean;
  /** `false` to read step by step also where short cuts would do. They need a text that is all there. */
  readonly mayShorten?: boolean;
  readonly state: State;
  readonly stopped: boolean;
  readonly limits: MachineLimits;
  readonly shape?: Shape | undefined;
}

/** Makes a machine that has read nothing yet. */
export function createMachine(start: MachineStart): Machine {
  return {
    text: start.text,
    at: start.at,
    ended: start.ended,
    mayShorten: start.ended && start.mayShorten !== false,
    needsMore: false,
    state: start.state,
    stopped: start.stopped,
    limits: start.limits,
    shape: start.shape,
    frames: [],
    frame: undefined,
    root: undefined,
    positional: [],
    rootEnd: -1,
    token: undefined,
    last: 'none',
    lastStart: start.at,
    repairs: [],
    unlisted: 0,
    risk: 'none',
    backtracks: 0,
    lookaheadCost: 0,
    ending: 'closed',
    unclosed: [],
    cutKey: undefined,
    failure: undefined,
    uncertain: [],
    colon: '',
    hasSemicolons: false,
    hasUncertainEnd: false,
    finds: new Map(),
    keys: [],
  };
}

/** A string that may have been ended too early: quotes in it or around its end are not as JSON has them. */
export interface UncertainString {
  /** Where it begins. */
  readonly start: number;
  /** How many containers have to be closed after it. */
  readonly due: number;
  /** Whether something stands after it that belongs between no two members or items. */
  isRagged: boolean;
}

/** A string while it is being read. */
export interface StringToken {
  readonly role: 'key' | 'value';
  readonly delimiter: Delimiter;
  /** Where the opening delimiter stands. */
  start: number;
  /** Where the content begins. */
  begin: number;
  /** Text of an earlier string that this one continues. */
  readonly prefix: string;
  /** Decoded text that a stream has shown already; `text` goes on from there. */
  head: string;
  /** What has been decoded already, the prefix included. */
  text: string;
  /** Where the content begins that has not been copied to `text` yet. */
  run: number;
  at: number;
  /** Whether a quote has been met that does not end it. */
  isDamaged: boolean;
  /** The first quote that might end it, should no better one come, or -1. */
  maybe: number;
  /** Braces and brackets open in the content before `counted`. */
  depth: number;
  counted: number;
  /** Whether a backslash stood in it that escapes nothing. */
  hasLone: boolean;
  /** Whether a letter has been escaped in it, as in `\n`. */
  hasLetters: boolean;
  /** Where it is known to end, when that was settled by an earlier reading of it, or -1. */
  end: number;
  /** Where reading goes on after `end`. */
  resume: number;
  readonly isRaw: boolean;
  /** What had been recorded before it, for a second reading to begin from. */
  readonly mark: { readonly repairs: number; readonly unlisted: number; readonly risk: Machine['risk'] };
}
