import type { PatternTree } from './pattern-tree.ts';
import { parsePattern } from './pattern-tree.ts';

/** Matches texts by following all paths through a pattern in parallel. */
export interface PatternMachine {
  /** Whether a text matches; `undefined` if that would take too long. */
  test(text: string, spend: (steps: number) => boolean): boolean | undefined;
}

type Instruction =
  | { readonly op: 'set'; readonly has: (code: number) => boolean }
  | { readonly op: 'split'; readonly first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'assert'; readonly sort: 'start' | 'end' | 'word' | 'inside' }
  | { readonly op: 'look'; readonly isNegated: boolean; readonly program: Program }
  | { readonly op: 'match' };

type Program = readonly Instruction[];

const maxInstructions = 5000;
const maxSteps = 20_000_000;
/** Number of steps that are reserved at a time. */
const slice = 10_000;

/** Thrown internally if a text takes too long. */
const tooLong = Symbol('too long');

/**
 * Builds a machine for a regular expression; `undefined` for unsupported patterns (back references, lookbehind) and
 * large ones. Time is proportional to text times pattern; a lookahead that is evaluated at many positions can be
 * quadratic, and is interrupted. Method: Thompson's construction with threads in lock step (Pike's machine without
 * captures).
 */
export function createPatternMachine(expression: RegExp): PatternMachine | undefined {
  const { source, flags } = expression;
  const isUnicode = flags.includes('u');
  const { tree, hasReference, hasLookbehind, hasModifier } = parsePattern(source);
  // In plain mode, these escapes stand for letters, which this parser does not support.
  if (hasReference || hasLookbehind || hasModifier || (!isUnicode && /\\[pPuc0]/.test(source))) return undefined;
  const program = compileProgram(tree, flags);
  if (program === undefined) return undefined;
  return {
    test(text, spend) {
      const codes = isUnicode ? Array.from(text, (character) => character.codePointAt(0) as number) : toUnits(text);
      try {
        return run(program, codes, 0, false, createBudget(spend));
      } catch (error) {
        if (error === tooLong) return undefined;
        throw error;
      }
    },
  };
}

function compileProgram(tree: PatternTree, flags: string): Program | undefined {
  const program: Instruction[] = [];
  let isTooLarge = false;

  function add(instruction: Instruction): void {
    if (program.length >= maxInstructions) isTooLarge = true;
    else program.push(instruction);
  }

  function compile(node: PatternTree): void {
    if (isTooLarge) return;
    switch (node.kind) {
      case 'empty':
        return;
      case 'set':
        return add({ op: 'set', has: createSet(node.source, flags) });
      case 'sequence':
        return node.parts.forEach(compile);
      case 'choice':
        return compileChoice(node.parts);
      case 'assertion':
        return add({ op: 'assert', sort: node.sort });
      case 'look': {
        const inner = compileProgram(node.part, flags);
        if (inner === undefined) isTooLarge = true;
        else add({ op: 'look', isNegated: node.isNegated, program: inner });
        return;
      }
      default:
        return compileRepeat(node);
    }
  }

  function compileChoice(parts: readonly PatternTree[]): void {
    const ends: { to: number }[] = [];
    for (const [index, part] of parts.entries()) {
      if (index === parts.length - 1) {
        compile(part);
        break;
      }
      const split = { op: 'split' as const, first: program.length + 1, second: 0 };
      add(split);
      compile(part);
      const end = { op: 'jump' as const, to: 0 };
      add(end);
      ends.push(end);
      split.second = program.length;
    }
    for (const end of ends) end.to = program.length;
  }

  function compileRepeat({ part, least, most }: Extract<PatternTree, { readonly kind: 'repeat' }>): void {
    for (let copy = 0; copy < least && !isTooLarge; copy += 1) compile(part);
    if (most === Infinity) {
      const start = program.length;
      const split = { op: 'split' as const, first: start + 1, second: 0 };
      add(split);
      compile(part);
      add({ op: 'jump', to: start });
      split.second = program.length;
      return;
    }
    const splits: { second: number }[] = [];
    for (let copy = least; copy < most && !isTooLarge; copy += 1) {
      const split = { op: 'split' as const, first: program.length + 1, second: 0 };
      add(split);
      splits.push(split);
      compile(part);
    }
    for (const split of splits) split.second = program.length;
  }

  compile(tree);
  add({ op: 'match' });
  return isTooLarge ? undefined : program;
}

/** Runs all threads from a position. Unless `isFixed`, also starts threads at every later position. */
function run(program: Program, codes: readonly number[], from: number, isFixed: boolean, budget: Budget): boolean {
  const seen = new Uint32Array(program.length);
  let current: number[] = [];
  let next: number[] = [];

  /**
   * Adds an instruction and all instructions that follow it without reading a character. Returns true if one of them is
   * the end.
   */
  function follow(start: number, at: number, into: number[]): boolean {
    const pending = [start];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (seen[index] === at + 1) continue;
      seen[index] = at + 1;
      budget.step();
      const instruction = program[index] as Instruction;
      if (instruction.op === 'match') return true;
      if (instruction.op === 'set') into.push(index);
      else if (instruction.op === 'jump') pending.push(instruction.to);
      else if (instruction.op === 'split') pending.push(instruction.second, instruction.first);
      else if (instruction.op === 'assert') {
        if (holds(instruction.sort, codes, at)) pending.push(index + 1);
      } else if (run(instruction.program, codes, at, true, budget) !== instruction.isNegated) pending.push(index + 1);
    }
    return false;
  }

  for (let at = from; ; at += 1) {
    for (const index of at === from ? [] : current) {
      const instruction = program[index] as Instruction;
      if (instruction.op === 'set' && instruction.has(codes[at - 1] as number) && follow(index + 1, at, next))
        return true;
    }
    if ((!isFixed || at === from) && follow(0, at, next)) return true;
    current = next;
    next = [];
    if (at >= codes.length || (isFixed && current.length === 0)) return false;
  }
}

interface Budget {
  step(): void;
}

function createBudget(spend: (steps: number) => boolean): Budget {
  let left = slice;
  let all = 0;
  return {
    step() {
      left -= 1;
      if (left > 0) return;
      all += slice;
      if (all > maxSteps || !spend(slice)) throw tooLong;
      left = slice;
    },
  };
}

function holds(sort: 'start' | 'end' | 'word' | 'inside', codes: readonly number[], at: number): boolean {
  if (sort === 'start') return at === 0;
  if (sort === 'end') return at === codes.length;
  const isEdge = isWord(codes[at - 1]) !== isWord(codes[at]);
  return isEdge === (sort === 'word');
}

function isWord(code: number | undefined): boolean {
  return code !== undefined && code < 128 && /\w/.test(String.fromCharCode(code));
}

/** The characters that one atom of the pattern matches, according to the engine. Computed once per atom. */
function createSet(source: string, flags: string): (code: number) => boolean {
  const expression = new RegExp(`^(?:${source})$`, flags);
  const ascii: (boolean | undefined)[] = [];
  const further = new Map<number, boolean>();
  const ask = (code: number): boolean =>
    expression.test(flags === '' ? String.fromCharCode(code) : String.fromCodePoint(code));
  return (code) => {
    if (code < 128) return (ascii[code] ??= ask(code));
    const known = further.get(code);
    if (known !== undefined) return known;
    if (further.size > 5000) further.clear();
    const has = ask(code);
    further.set(code, has);
    return has;
  };
}

function toUnits(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}
