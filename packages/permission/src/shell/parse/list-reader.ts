import { readAssignedName } from './read-assigned-name.ts';
import { findDoubleEnd, isPaired } from './find-closing.ts';
import { aNumber, OpenCommand, type CommandList, type LineFindings } from './open-command.ts';
import { readArray } from './read-array.ts';
import { readCondition } from './read-condition.ts';
import { readText, type CommandReading } from './read-expansion.ts';
import { readHeredoc, toCommand, type Heredoc } from './read-heredoc.ts';
import { isProcessSubstitution, readWord } from './read-word.ts';
import {
  bareBody,
  begins,
  bodyFollows,
  constructs,
  descriptors,
  ends,
  operates,
  operators,
  redirectors,
  reserved,
  skipBlanks,
  skipTimeOptions,
} from '../syntax/grammar.ts';

const maxDepth = 40;

/** Reads one list of commands. This is a class because each list, at any depth, has one. */
export class ListReader {
  readonly #reading: CommandReading;
  readonly #findings: LineFindings;
  readonly #list: CommandList;
  readonly #open: OpenCommand;
  readonly #heredocs: Heredoc[] = [];
  /** For each open `case`, innermost last: whether patterns or commands are expected. */
  readonly #cases: ('patterns' | 'commands')[] = [];
  /** True if the last loop iterates over a list, and no commands precede the list. */
  #isListLoop = false;
  #at: number;

  constructor(reading: CommandReading, findings: LineFindings, list: CommandList) {
    this.#reading = reading;
    this.#findings = findings;
    this.#list = list;
    this.#at = list.from;
    this.#open = new OpenCommand(findings, list.from, list.nested, list.printed);
  }

  /** Reads the list. Returns the index after it. */
  read(): number {
    const { text, closer, depth } = this.#list;
    if (depth > maxDepth) {
      this.#reading.spoil();
      return text.length;
    }
    while (this.#at < text.length) {
      const character = text[this.#at]!;
      if (character === ' ' || character === '\t') this.#at += 1;
      else if (character === '\\' && text[this.#at + 1] === '\n') this.#at += 2;
      else if (character === '#') {
        const end = text.indexOf('\n', this.#at);
        this.#at = end === -1 ? text.length : end;
      } else if (this.#cases.at(-1) === 'patterns' && this.#open.isEmpty()) this.#takePatterns(character);
      else if (character === ')') {
        if (closer === ')') return this.#finish();
        this.#reading.spoil();
        this.#findings.hasGrammar = true;
        this.#close();
        this.#at += 1;
      } else if (character === '(') this.#takeBrackets();
      else if (!operates.has(character) || !this.#takeOperator()) this.#takeWord();
    }
    this.#close();
    if (closer !== '' || this.#cases.length > 0 || this.#heredocs.length > 0) this.#reading.spoil();
    return this.#at;
  }

  /** Ends the list at its closing bracket. */
  #finish(): number {
    this.#close();
    // The positions of their texts are then uncertain.
    if (this.#heredocs.length > 0 || this.#cases.length > 0) this.#reading.spoil();
    if (this.#list.printed?.hasHeredoc && this.#list.printed.isCompound) this.#reading.spoil();
    this.#open.reach.finish(this.#at);
    return this.#at + 1;
  }

  #close(operator = ''): void {
    // The commands of the line itself run in the order in which they are written.
    const isCertain = this.#list.text === this.#findings.line && this.#cases.length === 0;
    this.#open.close(this.#at, operator, isCertain);
  }

  /** Reads the here-documents that begin on the next line. */
  #takeHeredocs(): void {
    for (const heredoc of this.#heredocs.splice(0)) {
      const body = readHeredoc(this.#reading, this.#list.text, this.#at, heredoc, this.#list.depth, this.#list.nested);
      this.#at = body.end;
      // The reader of the here-document may be a shell.
      this.#findings.commands.push(toCommand(body, this.#findings.pipeline));
    }
  }

  /** Reads the patterns before the commands of a `case`, or its end. */
  #takePatterns(character: string): void {
    const { text } = this.#list;
    if (character === '\n') {
      this.#at += 1;
      this.#takeHeredocs();
      return;
    }
    if (/^esac(?![^ \t\n;&|()<>])/.test(text.slice(this.#at, this.#at + 5))) {
      this.#cases.pop();
      this.#at += 4;
      return;
    }
    while (this.#at < text.length && text[this.#at] !== ')') {
      const { word, end } = readWord(this.#reading, text, this.#at, this.#list.depth);
      if (end > this.#at) this.#open.words.push(word);
      // In a substitution Bash prints the pattern without the preceding bracket, so that it becomes the end of the
      // `case`.
      if (word.text === 'esac') this.#reading.spoil();
      if (end === this.#at && !/[ \t\n|(]/.test(text[this.#at]!)) this.#reading.spoil();
      this.#at = Math.max(end, this.#at + 1);
    }
    if (this.#at >= text.length) this.#reading.spoil();
    this.#at += 1;
    this.#open.construct = 'pattern';
    this.#close();
    this.#cases[this.#cases.length - 1] = 'commands';
  }

  /** Reads `((…))` as arithmetic, and other brackets as a list. */
  #takeBrackets(): void {
    const { text } = this.#list;
    const open = this.#open;
    this.#findings.hasGrammar = true;
    const isArithmetic = open.isEmpty() || (open.construct === 'for' && open.words.length === 0);
    const end = isArithmetic ? findDoubleEnd(text, this.#at) : undefined;
    if (end !== undefined) {
      const inner = text.slice(this.#at + 2, end - 2);
      this.#reading.evaluate('arithmetic', readText(this.#reading, inner, this.#list.depth + 1, this.#list.nested));
      // The body follows `for ((…))`.
      open.clear();
      this.#at = end;
      return;
    }
    // Bash reads such a text twice, and then its here-documents in another order.
    const isDouble = isArithmetic && text[this.#at + 1] === '(';
    if (isDouble && (text.includes('<<', this.#at) || !isPaired(text, this.#at))) this.#reading.spoil();
    this.#findings.hasBareBody ||= open.words.length > 0 && bareBody.test(text.slice(this.#at, this.#at + 100));
    open.nameCoproc(this.#reading);
    this.#close();
    this.#findings.feedsGroup ||= open.isPiped;
    open.isPiped = false;
    if (this.#list.printed) this.#list.printed.isCompound = true;
    const inner: CommandList = { ...this.#list, from: this.#at + 1, closer: ')', depth: this.#list.depth + 1 };
    this.#at = new ListReader(this.#reading, this.#findings, inner).read();
  }

  /** Reads a redirection or an operator. Returns false if none begins here. */
  #takeOperator(): boolean {
    const { text } = this.#list;
    descriptors.lastIndex = this.#at;
    const descriptor = descriptors.exec(text)?.[0].length ?? 0;
    const redirector = isProcessSubstitution(text, this.#at)
      ? undefined
      : redirectors.find((operator) => text.startsWith(operator, this.#at + descriptor));
    if (redirector !== undefined) {
      this.#takeRedirection(redirector, descriptor);
      return true;
    }
    const operator = operators.find((candidate) => text.startsWith(candidate, this.#at));
    if (operator === undefined) return false;
    if (operator === '&>' || operator === '&>>') this.#takeRedirection(operator, 0);
    else this.#passOperator(operator);
    return true;
  }

  #takeRedirection(operator: string, descriptor: number): void {
    const { text } = this.#list;
    // `{name}>file` sets the variable to the number of the open file.
    if (text[this.#at] === '{' && descriptor > 0)
      this.#reading.assign(text.slice(this.#at + 1, this.#at + descriptor - 1), [aNumber]);
    this.#at = skipBlanks(text, this.#at + descriptor + operator.length);
    // Bash ends the target of `>&-` after the hyphen: in `>&-a`, `a` is the next word.
    if (/^[<>]&$/.test(operator) && /^-[^\s;&|<>()]/.test(text.slice(this.#at, this.#at + 2))) this.#reading.spoil();
    const { word, end } = readWord(this.#reading, text, this.#at, this.#list.depth);
    this.#open.redirections.push({ operator, target: word });
    if (operator === '<<' || operator === '<<-') {
      this.#heredocs.push({ delimiter: word, stripsTabs: operator === '<<-' });
      if (this.#list.printed) this.#list.printed.hasHeredoc = true;
    }
    if (end === this.#at) this.#reading.spoil();
    this.#at = end;
  }

  #passOperator(operator: string): void {
    const open = this.#open;
    const findings = this.#findings;
    findings.hasGrammar = true;
    this.#at += operator.length;
    // The words of `case x in` may be on several lines.
    if (operator === '\n' && open.construct === 'case') return;
    // A pipeline continues after empty lines.
    const isPipe = operator === '|' || operator === '|&' || (operator === '\n' && open.isPiped && open.isEmpty());
    findings.feedsGroup ||= isPipe && operator !== '\n' && open.isEmpty();
    findings.hasInput ||= isPipe;
    findings.hasBareBody ||=
      open.construct === 'function' && !/^\s*[{(]/.test(this.#list.text.slice(this.#at, this.#at + 100));
    this.#close(operator);
    if (!isPipe) open.reach.pass(operator, this.#at);
    if (!isPipe && this.#list.printed) this.#list.printed.isOver = this.#list.printed.hasHeredoc;
    open.isPiped = isPipe;
    open.isTimeProgram = isPipe;
    if (operator.startsWith(';') && operator !== ';' && this.#cases.length > 0)
      this.#cases[this.#cases.length - 1] = 'patterns';
    if (operator === '\n') this.#takeHeredocs();
    if (!isPipe) open.beginPipeline();
  }

  #takeWord(): void {
    const { text } = this.#list;
    const open = this.#open;
    if (open.isEmpty()) open.startedAt = this.#at;
    // After the name of a coprocess, Bash accepts a command again.
    const beginsCommand = open.words.length <= (open.isCoproc ? 1 : 0) && open.construct === undefined;
    const position = beginsCommand ? 'assignment' : 'plain';
    const { word, end } = readWord(this.#reading, text, this.#at, this.#list.depth, position);
    if (end === this.#at) {
      this.#reading.spoil();
      this.#at += 1;
      return;
    }
    const written = text.slice(this.#at, end);
    const raw = written.includes('\\') ? written.replaceAll('\\\n', '') : written;
    this.#at = end;
    const isReserved = reserved.has(raw) && !(raw === 'time' && open.isTimeProgram);
    // The body of a function, of a loop over arguments (`for x do`), or of a named coprocess.
    const isNamed = open.construct === undefined ? open.isCoproc : bodyFollows.has(open.construct);
    if (isReserved && raw !== 'in' && open.words.length === 1 && isNamed) {
      this.#findings.hasBareBody ||= open.construct === 'function' && raw !== '{';
      open.nameCoproc(this.#reading);
      this.#close();
    }
    const first = word.parts[0];
    const assigned =
      first?.kind === 'text' && !first.isQuoted && first.text.includes('=') ? readAssignedName(first.text) : undefined;
    if (raw.startsWith('{') && raw.includes('[') && /[<>]/.test(text[end] ?? '')) {
      // `{name[subscript]}>file` sets the variable.
      this.#reading.evaluate('name', word.parts);
      this.#reading.assign(/^\w*/.exec(raw.slice(1))![0], [aNumber]);
      // With other brackets this is an ordinary word.
      if (!/^\{\w+\[[\w$]+\]\}$/.test(raw)) this.#reading.spoil();
    } else if (assigned !== undefined && text[end] === '(' && word.text.length === assigned.length) {
      this.#findings.hasGrammar = true;
      const list = position === 'assignment' ? open.assignments : open.words;
      // `coproc name list=(…)` runs `name` with the list as an argument.
      if (open.isCoproc) this.#reading.spoil();
      this.#at = readArray(this.#reading, text, end + 1, this.#list.depth, { name: assigned.name, list });
    } else if (isReserved && open.isEmpty()) this.#takeReserved(raw);
    else if (position === 'assignment' && assigned !== undefined) {
      open.assignments.push(word);
      // Bash reads the words after such an assignment differently in a coprocess.
      if (open.isCoproc) this.#reading.spoil();
    } else {
      open.words.push(word);
      if (open.construct === 'case' && open.words.length === 2) {
        this.#close();
        this.#cases.push('patterns');
      }
    }
  }

  #takeReserved(word: string): void {
    const open = this.#open;
    this.#findings.hasGrammar = true;
    this.#findings.feedsGroup ||= open.isPiped;
    if (word === 'esac') this.#cases.pop();
    if (ends.has(word) && !(word === 'do' && this.#isListLoop)) open.reach.close(this.#at);
    if (begins.has(word)) open.reach.open();
    if (begins.has(word) || word === 'for' || word === 'select') this.#isListLoop = word === 'for' || word === 'select';
    if (this.#list.printed) this.#list.printed.isCompound ||= word !== '!';
    open.isCoproc ||= word === 'coproc';
    open.isTimeProgram = word === 'coproc';
    if ((word === 'coproc' && this.#list.depth > 0) || (word === 'time' && this.#list.printed)) this.#reading.spoil();
    const construct = constructs[word];
    if (construct) open.construct = construct;
    if (word === 'time') this.#at = skipTimeOptions(this.#list.text, this.#at);
    if (construct === '[[')
      this.#at = readCondition(this.#reading, this.#list.text, this.#at, this.#list.depth, open.words);
  }
}
