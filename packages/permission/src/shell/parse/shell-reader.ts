import { findAssigned, readAssignedName } from './assigned-name.ts';
import { findDoubleEnd, isPaired } from './find-closing.ts';
import { readArray } from './read-array.ts';
import { readCondition } from './read-condition.ts';
import { readText, type CommandReading } from './read-expansion.ts';
import { readHeredoc, type Heredoc } from './read-heredoc.ts';
import { isProcessSubstitution, readWord } from './read-word.ts';
import { ReachTracker } from './reach-tracker.ts';
import type { Evaluation, Redirection, ShellCommand, ShellConstruct, ShellWord, WordPart } from './shell-word.ts';

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

interface OpenCommand {
  words: ShellWord[];
  assignments: ShellWord[];
  redirections: Redirection[];
  construct?: ShellConstruct;
}

/**
 * The commands of `$(…)` or `<(…)`. Bash 5.2 prints them again and runs the printed text. In that text, characters are
 * lost after a here-document, and after `time` and `coproc`.
 */
interface PrintedList {
  hasHeredoc: boolean;
  /** The pipeline with the here-document has ended. */
  isOver: boolean;
  /** Commands are in brackets, belong to reserved words, or follow a here-document. */
  isCompound: boolean;
}

const maxDepth = 40;
const reserved: ReadonlySet<string> = new Set(
  'if then elif else fi do done while until for case esac in select function time coproc { } ! [[ ]]'.split(' '),
);
const constructs: Readonly<Record<string, ShellConstruct>> = {
  for: 'for',
  select: 'select',
  case: 'case',
  '[[': '[[',
  function: 'function',
};
/** Constructs in which a body may follow after one word. */
const bodyFollows: ReadonlySet<ShellConstruct> = new Set(['function', 'for', 'select']);
/** Reserved words that begin or end commands that may not run. */
const begins: ReadonlySet<string> = new Set('if then elif else while until do {'.split(' '));
const ends: ReadonlySet<string> = new Set('then elif else do fi done }'.split(' '));
const operators = ['&&', '||', ';;&', ';;', ';&', '|&', '&>>', '&>', ';', '&', '|', '\n'] as const;
/** First characters of operators, redirections and their descriptors. */
const operates: ReadonlySet<string> = new Set('<>&;|\n{0123456789');
const descriptors = /(?:\d+|\{\w+\})(?=[<>])/y;
const redirectors = ['<<<', '<<-', '<<', '<>', '>>', '>|', '<&', '>&', '<', '>'] as const;

/**
 * Creates a reader. All nesting levels share its state: pipelines are numbered throughout, and one defect makes the
 * whole line uncertain.
 */
export function createShellReader(line: string): ShellReader {
  let whole = true;
  let grammar = false;
  let isGroupFed = false;
  let hasInput = false;
  // True for a function whose body is not in brackets. It runs where the function is called, or never.
  let hasBareBody = false;
  let pipeline = 0;
  const found: ShellCommand[] = [];
  const evaluations: Evaluation[] = [];

  /** Reads commands up to `closer`, or to the end if `closer` is empty. Returns the index after the commands. */
  const readList = (
    text: string,
    from: number,
    closer: '' | ')',
    depth: number,
    nested: ShellCommand[],
    printed?: PrintedList,
  ): number => {
    if (depth > maxDepth) {
      reading.spoil();
      return text.length;
    }
    let at = from;
    let open = emptyCommand();
    let isCoproc = false;
    let isPiped = false;
    // Directly after a pipe and after `coproc`, `time` is a program.
    let isTimeProgram = false;
    let startedAt = from;
    // The last loop iterates over a list, and no commands precede the list.
    let isListLoop = false;
    const reach = new ReachTracker();
    const heredocs: Heredoc[] = [];
    // For each open `case`, innermost last: whether patterns or commands are expected.
    const cases: ('patterns' | 'commands')[] = [];
    pipeline += 1;
    let current = pipeline;

    const close = (operator = ''): void => {
      if (open.words.length > 0 || open.assignments.length > 0 || open.redirections.length > 0) {
        const isCertain = text === line && !hasBareBody && !isPiped && !isCoproc && cases.length === 0;
        const reaches = isCertain ? reach.reachOf(startedAt, at, operator) : undefined;
        const command = { ...open, pipeline: current, ...(reaches ? { reach: reaches } : {}) };
        if (open.redirections.some(({ operator }) => operator.startsWith('<'))) {
          hasInput = true;
          // Applies to a loop, or to the shell itself.
          isGroupFed ||= open.words.length === 0 || open.words[0]?.text === 'exec';
        }
        nested.push(command);
        found.push(command);
        if (printed?.isOver) printed.isCompound = true;
      }
      open = emptyCommand();
      isCoproc = false;
      isTimeProgram = false;
    };
    const isAtStart = (): boolean =>
      open.words.length + open.assignments.length + open.redirections.length === 0 && open.construct === undefined;
    /** Records the variables of a coprocess with a name. */
    const nameCoproc = (): void => {
      const name = isCoproc && open.construct === undefined ? open.words[0] : undefined;
      if (!name) return;
      if (!name.isLiteral) reading.spoil();
      reading.assign(name.text, [aNumber]);
      reading.assign(`${name.text}_PID`, [aNumber]);
    };
    const beginPipeline = (): void => {
      pipeline += 1;
      current = pipeline;
    };
    /** Reads the here-documents that begin on the next line. */
    const takeHeredocs = (): void => {
      for (const heredoc of heredocs.splice(0)) {
        const body = readHeredoc(reading, text, at, heredoc, depth, nested);
        at = body.end;
        // The reader of the here-document may be a shell.
        found.push({
          words: [literal(heredocProgram), literal(body.text)],
          assignments: [],
          redirections: [],
          pipeline,
          ...(body.isExpanded && { isExpandedText: true }),
        });
      }
    };
    /** Reads the patterns before the commands of a `case`, or its end. */
    const takePatterns = (): void => {
      if (/^esac(?![^ \t\n;&|()<>])/.test(text.slice(at, at + 5))) {
        cases.pop();
        at += 4;
        return;
      }
      while (at < text.length && text[at] !== ')') {
        const { word, end } = readWord(reading, text, at, depth);
        if (end > at) open.words.push(word);
        // In a substitution Bash prints the pattern without the preceding bracket, so that it becomes the end of the
        // `case`.
        if (word.text === 'esac') reading.spoil();
        if (end === at && !/[ \t\n|(]/.test(text[at]!)) reading.spoil();
        at = Math.max(end, at + 1);
      }
      if (at >= text.length) reading.spoil();
      at += 1;
      open.construct = 'pattern';
      close();
      cases[cases.length - 1] = 'commands';
    };

    while (at < text.length) {
      const character = text[at]!;
      if (character === ' ' || character === '\t') {
        at += 1;
        continue;
      }
      if (character === '\\' && text[at + 1] === '\n') {
        at += 2;
        continue;
      }
      if (character === '#') {
        const end = text.indexOf('\n', at);
        at = end === -1 ? text.length : end;
        continue;
      }
      if (cases.at(-1) === 'patterns' && isAtStart()) {
        if (character === '\n') {
          at += 1;
          takeHeredocs();
        } else takePatterns();
        continue;
      }
      if (character === ')') {
        if (closer === ')') {
          close();
          // Then it is uncertain where their texts begin.
          if (heredocs.length > 0 || cases.length > 0) reading.spoil();
          if (printed?.hasHeredoc && printed.isCompound) reading.spoil();
          reach.finish(at);
          return at + 1;
        }
        reading.spoil();
        grammar = true;
        close();
        at += 1;
        continue;
      }
      if (character === '(') {
        grammar = true;
        const isArithmetic = isAtStart() || (open.construct === 'for' && open.words.length === 0);
        const end = isArithmetic ? findDoubleEnd(text, at) : undefined;
        if (end !== undefined) {
          reading.evaluate('arithmetic', readText(reading, text.slice(at + 2, end - 2), depth + 1, nested));
          // The body follows `for ((…))`.
          open = emptyCommand();
          at = end;
          continue;
        }
        // Bash reads such a text twice, and then its here-documents in another order.
        const isDouble = isArithmetic && text[at + 1] === '(';
        if (isDouble && (text.includes('<<', at) || !isPaired(text, at))) reading.spoil();
        hasBareBody ||= open.words.length > 0 && bareBody.test(text.slice(at, at + 100));
        nameCoproc();
        close();
        isGroupFed ||= isPiped;
        isPiped = false;
        if (printed) printed.isCompound = true;
        at = readList(text, at + 1, ')', depth + 1, nested, printed);
        continue;
      }
      const mayOperate = operates.has(character);
      descriptors.lastIndex = at;
      const descriptor = mayOperate ? (descriptors.exec(text)?.[0].length ?? 0) : 0;
      const redirector =
        !mayOperate || isProcessSubstitution(text, at)
          ? undefined
          : redirectors.find((operator) => text.startsWith(operator, at + descriptor));
      const operator =
        mayOperate && redirector === undefined
          ? operators.find((candidate) => text.startsWith(candidate, at))
          : undefined;
      if (operator === '&>' || operator === '&>>' || redirector !== undefined) {
        const used = redirector ?? operator!;
        // `{name}>file` sets the variable to the number of the open file.
        if (text[at] === '{' && descriptor > 0) reading.assign(text.slice(at + 1, at + descriptor - 1), [aNumber]);
        at = skipBlanks(text, at + (redirector === undefined ? 0 : descriptor) + used.length);
        // Bash ends the target of `>&-` after the hyphen: in `>&-a`, `a` is the next word.
        if (/^[<>]&$/.test(used) && /^-[^\s;&|<>()]/.test(text.slice(at, at + 2))) reading.spoil();
        const { word, end } = readWord(reading, text, at, depth);
        open.redirections.push({ operator: used, target: word });
        if (used === '<<' || used === '<<-') {
          heredocs.push({ delimiter: word, stripsTabs: used === '<<-' });
          if (printed) printed.hasHeredoc = true;
        }
        if (end === at) reading.spoil();
        at = end;
        continue;
      }
      if (operator !== undefined) {
        grammar = true;
        at += operator.length;
        // The words of `case x in` may be on several lines.
        if (operator === '\n' && open.construct === 'case') continue;
        // A pipeline continues after empty lines.
        const isPipe: boolean = operator === '|' || operator === '|&' || (operator === '\n' && isPiped && isAtStart());
        isGroupFed ||= isPipe && operator !== '\n' && isAtStart();
        hasInput ||= isPipe;
        hasBareBody ||= open.construct === 'function' && !/^\s*[{(]/.test(text.slice(at, at + 100));
        close(operator);
        if (!isPipe) reach.pass(operator, at);
        if (!isPipe && printed) printed.isOver = printed.hasHeredoc;
        isPiped = isPipe;
        isTimeProgram = isPipe;
        if (operator.startsWith(';') && operator !== ';' && cases.length > 0) cases[cases.length - 1] = 'patterns';
        if (operator === '\n') takeHeredocs();
        if (!isPipe) beginPipeline();
        continue;
      }
      if (isAtStart()) startedAt = at;
      // After the name of a coprocess, Bash accepts a command again.
      const beginsCommand = open.words.length <= (isCoproc ? 1 : 0) && open.construct === undefined;
      const position = beginsCommand ? 'assignment' : 'plain';
      const { word, end } = readWord(reading, text, at, depth, position);
      if (end === at) {
        reading.spoil();
        at += 1;
        continue;
      }
      const written = text.slice(at, end);
      const raw = written.includes('\\') ? written.replaceAll('\\\n', '') : written;
      at = end;
      const isReserved = reserved.has(raw) && !(raw === 'time' && isTimeProgram);
      // The body of a function, of a loop over arguments (`for x do`), or of a named coprocess.
      const isNamed = open.construct === undefined ? isCoproc : bodyFollows.has(open.construct);
      if (isReserved && raw !== 'in' && open.words.length === 1 && isNamed) {
        hasBareBody ||= open.construct === 'function' && raw !== '{';
        nameCoproc();
        close();
      }
      const first = word.parts[0];
      const assigned =
        first?.kind === 'text' && !first.isQuoted && first.text.includes('=')
          ? readAssignedName(first.text)
          : undefined;
      if (raw.startsWith('{') && raw.includes('[') && /[<>]/.test(text[at] ?? '')) {
        // `{name[subscript]}>file` sets the variable.
        reading.evaluate('name', word.parts);
        reading.assign(/^\w*/.exec(raw.slice(1))![0], [aNumber]);
        // With other brackets this is an ordinary word.
        if (!/^\{\w+\[[\w$]+\]\}$/.test(raw)) reading.spoil();
      } else if (assigned !== undefined && text[at] === '(' && word.text.length === assigned.length) {
        grammar = true;
        const list = position === 'assignment' ? open.assignments : open.words;
        // `coproc name list=(…)` runs `name` with the list as an argument.
        if (isCoproc) reading.spoil();
        at = readArray(reading, text, at + 1, depth, { name: assigned.name, list });
      } else if (isReserved && isAtStart()) {
        grammar = true;
        isGroupFed ||= isPiped;
        if (raw === 'esac') cases.pop();
        if (ends.has(raw) && !(raw === 'do' && isListLoop)) reach.close(at);
        if (begins.has(raw)) reach.open();
        if (begins.has(raw) || raw === 'for' || raw === 'select') isListLoop = raw === 'for' || raw === 'select';
        if (printed) printed.isCompound ||= raw !== '!';
        isCoproc ||= raw === 'coproc';
        isTimeProgram = raw === 'coproc';
        if ((raw === 'coproc' && depth > 0) || (raw === 'time' && printed)) reading.spoil();
        const construct = constructs[raw];
        if (construct) open.construct = construct;
        if (raw === 'time') at = skipTimeOptions(text, at);
        if (construct === '[[') at = readCondition(reading, text, at, depth, open.words);
      } else if (position === 'assignment' && assigned !== undefined) {
        open.assignments.push(word);
        // Bash reads the words behind such an assignment differently in a coprocess.
        if (isCoproc) reading.spoil();
      } else {
        open.words.push(word);
        if (open.construct === 'case' && open.words.length === 2) {
          close();
          cases.push('patterns');
        }
      }
    }
    close();
    if (closer !== '' || cases.length > 0 || heredocs.length > 0) reading.spoil();
    return at;
  };

  const reading: CommandReading = {
    spoil() {
      whole = false;
    },
    evaluate(kind, parts) {
      if (parts.length === 0) return;
      evaluations.push({ kind, parts });
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
      found.push({ words: [], assignments, redirections: [], pipeline });
    },
    feedGroup() {
      isGroupFed = true;
    },
    readList(text, from, closer, depth, nested) {
      const printed = closer === ')' ? { hasHeredoc: false, isOver: false, isCompound: false } : undefined;
      return readList(text, from, closer, depth, nested, printed);
    },
  };
  return {
    readAll() {
      // A line continuation inside an operator or after a dollar sign changes how the line is read.
      if (line.includes('\\\n') && joinsSigns.test(line)) reading.spoil();
      readList(line, 0, '', 0, []);
      return found;
    },
    readWithin() {
      readText(reading, line, 0, []);
      for (const { index } of line.matchAll(/[<>]\(/g)) readList(line, index + 2, ')', 0, []);
      return found;
    },
    isWhole: () => whole,
    hasGrammar: () => grammar,
    feedsGroup: () => isGroupFed,
    hasInput: () => hasInput,
    evaluations,
  };
}

const aNumber: WordPart = { kind: 'number', isQuoted: true };
const bareBody = /^\(\s*\)\s*(?:[^{(\s]|\(\(|$)/;
const joinsSigns = /\$\\\n|[<>&|;()](?:\\\n)+[<>&|;()]|<<(?:\\\n)+-/;

/** Placeholder for the program that reads a here-document. Its second word is the text. */
export const heredocProgram = '<<';

function emptyCommand(): OpenCommand {
  return { words: [], assignments: [], redirections: [] };
}

function literal(text: string): ShellWord {
  return {
    text,
    isLiteral: true,
    hasQuotedPattern: false,
    nested: [],
    parts: [{ kind: 'text', text, isQuoted: true }],
  };
}

function skipTimeOptions(text: string, from: number): number {
  return (
    from +
    /^(?:[ \t]+-p(?![^ \t\n;&|()<>]))?(?:[ \t]+--(?![^ \t\n;&|()<>]))?/.exec(text.slice(from, from + 40))![0].length
  );
}

/** Blanks may continue after an escaped line break. */
function skipBlanks(text: string, from: number): number {
  blanks.lastIndex = from;
  return from + blanks.exec(text)![0].length;
}

const blanks = /(?:[ \t]|\\\n)*/y;
