import { findAssigned } from './read-assigned-name.ts';
import { ListReader } from './list-reader.ts';
import { aNumber, type CommandList, type LineFindings } from './open-command.ts';
import { readText, type CommandReading } from './read-expansion.ts';
import { joinsSigns } from '../syntax/grammar.ts';
import type { Evaluation, ShellCommand } from '../syntax/shell-word.ts';

/** Reads one command line from start to end. */
export interface ShellReader {
  readAll(): readonly ShellCommand[];
  /** Reads the substitutions of a text that is not a command itself. */
  readWithin(): readonly ShellCommand[];
  /** False if anything was unbalanced or nested too deeply. */
  isWhole(): boolean;
  /** True if anything other than words was read: operators, brackets, reserved words. */
  hasGrammar(): boolean;
  /** True if a group of commands, such as `(…)` or a loop, reads or prints data of a pipe, or reads a file. */
  feedsGroup(): boolean;
  /** True if any command reads from a pipe or a file. */
  hasInput(): boolean;
  /** Texts that Bash evaluates, as far as the grammar shows. */
  readonly evaluations: readonly Evaluation[];
}

/**
 * Creates a reader. All nesting levels share its findings: pipelines are numbered throughout, and one defect makes the
 * whole line uncertain.
 */
export function createShellReader(line: string): ShellReader {
  const findings: LineFindings = {
    line,
    commands: [],
    evaluations: [],
    isWhole: true,
    hasGrammar: false,
    feedsGroup: false,
    hasInput: false,
    hasBareBody: false,
    pipeline: 0,
  };
  const reading = createReading(findings);
  return {
    readAll() {
      if (line.includes('\\\n') && joinsSigns.test(line)) reading.spoil();
      reading.readList(line, 0, '', 0, []);
      return findings.commands;
    },
    readWithin() {
      readText(reading, line, 0, []);
      for (const { index } of line.matchAll(/[<>]\(/g)) {
        // Bash does not print and parse these commands again.
        const list: CommandList = { text: line, from: index + 2, closer: ')', depth: 0, nested: [] };
        new ListReader(reading, findings, list).read();
      }
      return findings.commands;
    },
    isWhole: () => findings.isWhole,
    hasGrammar: () => findings.hasGrammar,
    feedsGroup: () => findings.feedsGroup,
    hasInput: () => findings.hasInput,
    evaluations: findings.evaluations,
  };
}

/** Creates the callbacks that record what is found in the words of a line. */
function createReading(findings: LineFindings): CommandReading {
  const reading: CommandReading = {
    spoil() {
      findings.isWhole = false;
    },
    evaluate(kind, parts) {
      if (parts.length === 0) return;
      findings.evaluations.push({ kind, parts });
      if (kind !== 'arithmetic') return;
      for (const name of findAssigned(parts)) {
        if (name === '') reading.spoil();
        else reading.assign(name, [aNumber]);
      }
    },
    assign(name, parts) {
      const text = `${name}=`;
      const word = { text, isLiteral: false, hasQuotedPattern: false, nested: [] };
      const assignments = [{ ...word, parts: [{ kind: 'text', text, isQuoted: false } as const, ...parts] }];
      findings.commands.push({ words: [], assignments, redirections: [], pipeline: findings.pipeline });
    },
    feedGroup() {
      findings.feedsGroup = true;
    },
    readList(text, from, closer, depth, nested) {
      const printed = closer === ')' ? { hasHeredoc: false, isOver: false, isCompound: false } : undefined;
      return new ListReader(reading, findings, { text, from, closer, depth, nested, printed }).read();
    },
  };
  return reading;
}
