import type { Scope, Value } from '../run/run-word.ts';
import type { ShellCommand } from '../parse/shell-word.ts';
import { expandWord } from './expand-word.ts';
import { hasPipe, printsNumber } from './prints-number.ts';
import { valuesByDefault, type ShellEnvironment, type Variables } from './variables.ts';

/** What is known of a whole line while it is taken apart. */
export interface LineState {
  readonly environment: ShellEnvironment;
  readonly assigned: ReadonlyMap<string, readonly string[]>;
  /** What variables hold that the line does not set, by their names: without arguments of the line's own, and with some. */
  readonly defaults: readonly [bare: Map<string, readonly Value[]>, given: Map<string, readonly Value[]>];
  /** The line goes to another folder. */
  readonly moves: boolean;
  readonly definesFunctions: boolean;
  isWhole: boolean;
  /** Characters of values that may still be put into words and into each other. */
  valueRoom: number;
}

/** How a scope differs from that of a line without arguments that runs. */
export interface ScopeOptions {
  readonly hasArguments: boolean;
  readonly isEvaluating: boolean;
}

/** The scope of a line inside a line. A class, since very many are made. */
export class LineScope implements Scope {
  readonly isEvaluating: boolean;
  readonly splitsAtBlanks: boolean;
  readonly home: string | undefined;
  readonly #variables: Variables;
  readonly #state: LineState;
  readonly #hasArguments: boolean;

  constructor(variables: Variables, state: LineState, { hasArguments, isEvaluating }: ScopeOptions) {
    this.isEvaluating = isEvaluating;
    this.splitsAtBlanks = !variables.has('IFS') && !state.assigned.has('IFS');
    this.home = state.environment.home;
    this.#variables = variables;
    this.#state = state;
    this.#hasArguments = hasArguments;
  }

  valuesOf(name: string): readonly Value[] {
    return this.#variables.get(name) ?? this.valuesByDefault(name);
  }

  isSet(name: string): boolean {
    return this.#variables.has(name);
  }

  valuesByDefault(name: string): readonly Value[] {
    const { defaults, environment, moves } = this.#state;
    const known = defaults[this.#hasArguments ? 1 : 0];
    let values = known.get(name);
    if (values === undefined) {
      values = valuesByDefault(name, environment, this.#hasArguments);
      known.set(name, values);
    }
    return name === 'PWD' && moves ? [...values, { text: '$PWD', isOpen: true }] : values;
  }

  outputOf(commands: readonly ShellCommand[]): string | undefined {
    const [only, ...others] = commands;
    if (!only || others.length > 0 || only.redirections.length > 0 || only.assignments.length > 0) return undefined;
    const [name, ...rest] = only.words;
    // What stands in `>(…)` prints to the same place.
    if (rest.some(hasPipe)) return undefined;
    if (name?.text === 'pwd' && rest.length === 0) return this.#state.moves ? undefined : this.#state.environment.cwd;
    if (name?.text !== 'echo' && name?.text !== 'printf') return undefined;
    const readings = rest.map((word) => expandWord(word, this));
    if (readings.some(({ length }) => length > 1)) return undefined;
    const words = readings.flat(2);
    const isKnown = words.every((word) => word.isKnown && word.glob === undefined && !/[\\%]/.test(word.text));
    // `printf` takes only its first word as text, and `-v` for a variable to write to.
    if (name.text === 'printf' && (words.length !== 1 || words[0]!.text.startsWith('-'))) return undefined;
    const texts = words.map(({ text }) => text).filter((text) => !/^-[neE]+$/.test(text));
    return isKnown ? texts.join(' ') : undefined;
  }

  printsNumber(commands: readonly ShellCommand[]): boolean {
    return !this.#state.definesFunctions && printsNumber(commands);
  }

  takeRoom(length: number): boolean {
    this.#state.valueRoom -= length;
    if (this.#state.valueRoom < 0) this.#state.isWhole = false;
    return this.#state.valueRoom >= 0;
  }
}
