import type { Scope, Value } from '../run/run-word.ts';
import type { ShellCommand } from '../syntax/shell-word.ts';
import { expandWord } from './expand-word.ts';
import { hasPipe, printsNumber } from './prints-number.ts';
import { isInherited, valuesByDefault, type ShellEnvironment } from '../run/default-values.ts';
import type { Variables } from './shell-variables.ts';

/** The state of a whole line during expansion. */
export interface LineState {
  readonly environment: ShellEnvironment;
  readonly assigned: ReadonlyMap<string, readonly string[]>;
  /**
   * The values of variables that the line does not set, by name: for a line without its own arguments, and for a line
   * with arguments.
   */
  readonly defaults: readonly [bare: Map<string, readonly Value[]>, given: Map<string, readonly Value[]>];
  /** True if the line changes the working directory. */
  readonly moves: boolean;
  readonly definesFunctions: boolean;
  /** Variables that were read while all their values were known. */
  readonly known: Set<string>;
  isWhole: boolean;
  /** Number of characters of values that may still be inserted into words and into each other. */
  valueRoom: number;
}

/** The differences between a scope and that of a top-level line without arguments. */
export interface ScopeOptions {
  readonly hasArguments: boolean;
  readonly isEvaluating: boolean;
}

/** The scope of a nested line. This is a class because very many are created. */
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
    const set = this.#variables.get(name);
    const byDefault = set === undefined || !isInherited(name) ? this.valuesByDefault(name) : [];
    const values = set === undefined ? byDefault : byDefault.length === 0 ? set : [...set, ...byDefault];
    if (!values.some(({ isOpen }) => isOpen)) this.#state.known.add(name);
    return values;
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
    // The commands in `>(…)` print to the same output.
    if (rest.some(hasPipe)) return undefined;
    if (name?.text === 'pwd' && rest.length === 0) return this.#state.moves ? undefined : this.#state.environment.cwd;
    if (name?.text !== 'echo' && name?.text !== 'printf') return undefined;
    const readings = rest.map((word) => expandWord(word, this));
    if (readings.some(({ length }) => length > 1)) return undefined;
    const words = readings.flat(2);
    const isKnown = words.every((word) => word.isKnown && word.glob === undefined && !/[\\%]/.test(word.text));
    // `printf` treats only its first word as text, and `-v` as the option for a variable to write to.
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
