import type { CommandReading } from './read-expansion.ts';
import { ReachTracker } from './reach-tracker.ts';
import type {
  Evaluation,
  Redirection,
  ShellCommand,
  ShellConstruct,
  ShellWord,
  WordPart,
} from '../syntax/shell-word.ts';

/** The findings about a line so far. All nesting levels share them. */
export interface LineFindings {
  readonly line: string;
  readonly commands: ShellCommand[];
  readonly evaluations: Evaluation[];
  /** False if anything was unbalanced or nested too deeply. */
  isWhole: boolean;
  /** True if anything other than words was read: operators, brackets, reserved words. */
  hasGrammar: boolean;
  /** True if a group of commands, such as `(…)` or a loop, reads or prints data of a pipe, or reads a file. */
  feedsGroup: boolean;
  /** True if any command reads from a pipe or a file. */
  hasInput: boolean;
  /** True for a function whose body is not in brackets. It runs where the function is called, or never. */
  hasBareBody: boolean;
  /** Number of the latest pipeline. */
  pipeline: number;
}

/**
 * The commands of `$(…)` or `<(…)`. Bash 5.2 prints them again and runs the printed text. In that text, characters are
 * lost after a here-document, and after `time` and `coproc`.
 */
export interface PrintedList {
  hasHeredoc: boolean;
  /** The pipeline with the here-document has ended. */
  isOver: boolean;
  /** Commands are in brackets, belong to reserved words, or follow a here-document. */
  isCompound: boolean;
}

/** A list of commands in a text. */
export interface CommandList {
  readonly text: string;
  readonly from: number;
  /** The bracket that ends the list. Empty for a list up to the end of the text. */
  readonly closer: '' | ')';
  readonly depth: number;
  /** Receives the commands. */
  readonly nested: ShellCommand[];
  /** The substitution that the list belongs to, if Bash prints it. */
  readonly printed?: PrintedList | undefined;
}

/** A number that is not computed. */
export const aNumber: WordPart = { kind: 'number', isQuoted: true };

/** The command of a list that is being read. This is a class because each list has one. */
export class OpenCommand {
  words: ShellWord[] = [];
  assignments: ShellWord[] = [];
  redirections: Redirection[] = [];
  construct: ShellConstruct | undefined;
  isCoproc = false;
  /** True if the command follows a pipe. */
  isPiped = false;
  /** True directly after a pipe and after `coproc`, where `time` is a program. */
  isTimeProgram = false;
  startedAt: number;
  readonly reach: ReachTracker = new ReachTracker();
  readonly #findings: LineFindings;
  readonly #nested: ShellCommand[];
  readonly #printed: PrintedList | undefined;
  #pipeline = 0;

  constructor(findings: LineFindings, startedAt: number, nested: ShellCommand[], printed: PrintedList | undefined) {
    this.#findings = findings;
    this.startedAt = startedAt;
    this.#nested = nested;
    this.#printed = printed;
    this.beginPipeline();
  }

  /** Returns whether nothing of the command was read. */
  isEmpty(): boolean {
    return this.words.length + this.assignments.length + this.redirections.length === 0 && this.construct === undefined;
  }

  beginPipeline(): void {
    this.#findings.pipeline += 1;
    this.#pipeline = this.#findings.pipeline;
  }

  /** Ends the command before `at` and begins the next one. `operator` follows; `isCertain`: the command surely runs. */
  close(at: number, operator: string, isCertain: boolean): void {
    const { words, assignments, redirections, construct } = this;
    const findings = this.#findings;
    if (words.length > 0 || assignments.length > 0 || redirections.length > 0) {
      const isSure = isCertain && !findings.hasBareBody && !this.isPiped && !this.isCoproc;
      const reach = isSure ? this.reach.reachOf(this.startedAt, at, operator) : undefined;
      const command: ShellCommand = {
        words,
        assignments,
        redirections,
        pipeline: this.#pipeline,
        ...(construct === undefined ? {} : { construct }),
        ...(reach ? { reach } : {}),
      };
      if (redirections.some((redirection) => redirection.operator.startsWith('<'))) {
        findings.hasInput = true;
        // Applies to a loop, or to the shell itself.
        findings.feedsGroup ||= words.length === 0 || words[0]?.text === 'exec';
      }
      this.#nested.push(command);
      findings.commands.push(command);
      if (this.#printed?.isOver) this.#printed.isCompound = true;
    }
    this.clear();
    this.isCoproc = false;
    this.isTimeProgram = false;
  }

  /** Begins the next command without the words so far. */
  clear(): void {
    this.words = [];
    this.assignments = [];
    this.redirections = [];
    this.construct = undefined;
  }

  /** Records the variables of a coprocess with a name. */
  nameCoproc(reading: CommandReading): void {
    const name = this.isCoproc && this.construct === undefined ? this.words[0] : undefined;
    if (!name) return;
    if (!name.isLiteral) reading.spoil();
    reading.assign(name.text, [aNumber]);
    reading.assign(`${name.text}_PID`, [aNumber]);
  }
}
