import { expandWordBraces, hasBareDollar, mayHideBraces, toCells, type Cell } from './expand-braces.ts';
import { numberValues, type RunWord, type Scope, type Value } from '../run/run-word.ts';
import type { Parameter, ShellWord, WordPart } from '../syntax/shell-word.ts';

const maxReadings = 32;

/**
 * Expands a word as the shell does before it runs a command: braces, tildes, variables and command substitutions are
 * replaced, and the result is split into words. Each item is one reading, because a variable may hold one of several
 * values. A reading has as many words as it may have.
 */
export function expandWord(word: ShellWord, scope: Scope): readonly (readonly RunWord[])[] {
  const { text, hasQuotedPattern, nested } = word;
  if (word.isLiteral) return [[{ text, isKnown: true, glob: undefined, hasQuotedPattern, nested }]];
  const unknown = [[{ text, isKnown: false, glob: undefined, hasQuotedPattern, nested }]];
  // After a dollar sign that does not start an expansion, Bash does not split the preceding text.
  if (word.parts.some(hasBareDollar) && word.parts.some(({ kind }) => kind !== 'text')) return unknown;
  if (mayVanish(word.parts)) return unknown;
  const alternatives = expandWordBraces(toCells(word.parts));
  if (!alternatives || (alternatives.length > 1 && word.parts.some(mayHideBraces))) return unknown;
  let readings: readonly (readonly RunWord[])[] = [[]];
  for (const cells of alternatives) {
    const own = readCells(cells, word, scope, alternatives.length > 1);
    if (!own || readings.length * own.length > maxReadings) return unknown;
    readings = readings.flatMap((reading) => own.map((fields) => [...reading, ...fields]));
  }
  return readings;
}

/** Expands a word without word splitting and globbing, as in an assignment. */
export function expandToValues(parts: readonly WordPart[], scope: Scope): readonly Value[] {
  let values: readonly Value[] = [{ text: '' }];
  for (const part of parts) {
    const own = part.kind === 'text' ? valuesOfText(part, parts, scope) : valuesOfPart(part, scope);
    if (values.length * own.length > maxReadings) return [{ text: '$()', isOpen: true }];
    values = values.flatMap((value) => own.map((next) => append(value, next, scope)));
  }
  return values;
}

/** Concatenates two values. For names that match a pattern, only the pattern itself is known. */
export function append(value: Value, next: Value, scope: Scope): Value {
  if (value.text === '' && value.isOpen === undefined) return next;
  if (!scope.takeRoom(next.text.length)) return { text: '$()', isOpen: true };
  const text = value.text + next.text;
  const isOpen = value.isOpen === true || next.isOpen === true || value.glob !== undefined || next.glob !== undefined;
  if (!isOpen) return value.isNumber || next.isNumber ? { text, isNumber: true } : { text };
  return isHarmless(value) && isHarmless(next) ? { text, isOpen, isHarmless: true } : { text, isOpen };
}

/** Returns whether a value runs nothing when it is evaluated, even if the value is unknown. */
function isHarmless(value: Value): boolean {
  return value.isHarmless === true || (value.isOpen === undefined && value.glob === undefined && isNumeric(value.text));
}

function isNumeric(text: string): boolean {
  return /^[\d\s.,:+*/-]*$/.test(text);
}

/** In an assignment, a tilde means a folder at the beginning and after each colon. */
function valuesOfText(part: Text, parts: readonly WordPart[], { home }: Scope): readonly Value[] {
  const { text, isQuoted } = part;
  if (isQuoted || !text.includes('~')) return [{ text }];
  // The result depends on the surrounding text and on the user accounts.
  const isOpen =
    /(?:^|:)~[^/:]/.test(text) ||
    (part !== parts[0] && text.startsWith('~')) ||
    (part !== parts.at(-1) && /(?:^|:)~$/.test(text));
  if (isOpen) return [{ text, isOpen }];
  return [{ text: home === undefined ? text : text.replaceAll(/(^|:)~/g, (_, before: string) => before + home) }];
}

type Text = Extract<WordPart, { readonly kind: 'text' }>;
type Expansion = Exclude<WordPart, { readonly kind: 'text' }>;

/** Returns all values that a part may have. */
function valuesOfPart(part: Expansion, scope: Scope): readonly Value[] {
  const values = knownValues(part, scope);
  return scope.isEvaluating ? values.map((value) => (value.isHarmless ? { text: '0' } : value)) : values;
}

function knownValues(part: Expansion, scope: Scope): readonly Value[] {
  if (part.kind === 'number') return scope.isEvaluating ? [{ text: '0' }] : numberValues;
  if (part.kind === 'pipe') return [{ text: '/dev/fd/63' }];
  if (part.kind === 'parameter') return valuesOfParameter(part.parameter, scope);
  const output = scope.outputOf(part.commands);
  if (output !== undefined) return [{ text: output }];
  return [{ text: '$()', isOpen: true, ...(scope.printsNumber(part.commands) ? { isHarmless: true } : {}) }];
}

function valuesOfParameter({ name, operator, operand }: Parameter, scope: Scope): readonly Value[] {
  const open: Value = { text: `$${name}`, isOpen: true };
  if (operator === 'length') return [{ text: '0', isNumber: true }];
  // A substring of blanks is blank or empty.
  if (name === 'IFS') return [scope.splitsAtBlanks ? { text: ' \t\n' } : open];
  const values = scope.valuesOf(name);
  if (operator === '' || operator === ':?' || operator === '?') return values;
  // A substring of a number is a number.
  if (operator === 'other' && values.every(isHarmless)) return [{ ...open, isHarmless: true }];
  if (!/^:?[-=+]$/.test(operator) || /[\\'"$`*?[{~]/.test(operand)) return [open];
  const other = { text: operand };
  return operator.endsWith('+') ? [other, { text: '' }] : [...values.filter(({ text }) => text !== ''), other];
}

interface Field {
  text: string;
  glob: string;
  isPattern: boolean;
  isKnown: boolean;
  isQuoted: boolean;
  hasNumber: boolean;
  /** A pattern, if the field is the value of a single variable that is a pattern itself. */
  pattern: string | undefined;
}

function emptyField(): Field {
  return { text: '', glob: '', isPattern: false, isKnown: true, isQuoted: false, hasNumber: false, pattern: undefined };
}

/**
 * Returns the fields of one word without braces, once for each combination of values. Returns undefined if there are
 * too many.
 */
function readCells(
  cells: readonly Cell[],
  word: ShellWord,
  scope: Scope,
  isOneOfSeveral: boolean,
): readonly (readonly RunWord[])[] | undefined {
  const finish = (fields: readonly Field[]): readonly RunWord[] =>
    fields.filter(isThere).map((field) => toRunWord(field, word));
  let readings: Field[][] = [[emptyField()]];
  const whole = withWholeNames(cells);
  for (const [index, cell] of whole.entries()) {
    if ('character' in cell) {
      const shown = cell.character === '~' ? readTilde(whole, index, scope) : undefined;
      // After braces, the tilde is a literal character in some of the words.
      if (shown === unclear || (shown !== undefined && index > 0 && isOneOfSeveral)) return undefined;
      for (const fields of readings) {
        if (shown === undefined) addText(fields.at(-1)!, cell.character, cell.isQuoted);
        else addText(fields.at(-1)!, shown, true);
      }
      continue;
    }
    const values = valuesOfPart(cell.part, scope);
    if (readings.length * values.length > maxReadings) return undefined;
    const [only, ...others] = values;
    if (only !== undefined && others.length === 0)
      for (const fields of readings) addValue(fields, only, cell.part, scope);
    else
      readings = readings.flatMap((fields) =>
        values.map((value) =>
          addValue(
            fields.map((field) => ({ ...field })),
            value,
            cell.part,
            scope,
          ),
        ),
      );
  }
  return readings.map(finish);
}

/** Returns whether `"$@$x"` adds no word if `$x` is empty: Bash drops the quotes if there are no arguments. */
function mayVanish(parts: readonly WordPart[]): boolean {
  const expansions = parts.filter((part) => part.kind !== 'text' && part.isQuoted);
  const isArguments = (part: WordPart): boolean => part.kind === 'parameter' && part.parameter.name === '@';
  return expansions.length > 1 && expansions.some(isArguments) && !expansions.every(isArguments);
}

const unclear = Symbol('unclear');

/** Returns the folder that a tilde means, at the beginning of a word or in a word that looks like an assignment. */
function readTilde(cells: readonly Cell[], index: number, { home }: Scope): string | typeof unclear | undefined {
  if (!isSign(cells[index], /~/) || (index > 0 && !mayAssignBefore(cells.slice(0, index)))) return undefined;
  const next = cells[index + 1];
  // Other names are user names or earlier folders of the shell.
  if (isSign(next, /[-+\w]/)) return unclear;
  return next === undefined || isSign(next, /[/:]/) ? home : undefined;
}

/** Returns whether these characters are `name=`, or `name=…:`. */
function mayAssignBefore(cells: readonly Cell[]): boolean {
  const equals = cells.findIndex((cell) => isSign(cell, /=/));
  const isNext = equals === cells.length - 1 || isSign(cells.at(-1), /:/);
  if (equals === -1 || !isNext) return false;
  const name = cells.slice(0, equals).map((cell) => ('character' in cell && !cell.isQuoted ? cell.character : '"'));
  return /^[A-Za-z_]\w*(?:\[[^]*\])?\+?$/.test(name.join(''));
}

function isSign(cell: Cell | undefined, pattern: RegExp): boolean {
  return cell !== undefined && 'character' in cell && !cell.isQuoted && pattern.test(cell.character);
}

/** Braces are expanded before variables: `$X{a,b}` means `$Xa` and `$Xb`. */
function withWholeNames(cells: readonly Cell[]): readonly Cell[] {
  const whole: Cell[] = [];
  for (const cell of cells) {
    const before = whole.at(-1);
    const parameter =
      before && 'part' in before && before.part.kind === 'parameter' ? before.part.parameter : undefined;
    const isPartOfName = 'character' in cell && !cell.isQuoted && /^\w$/.test(cell.character);
    if (before && 'part' in before && parameter && isPartOfName && isExtensible(before.part, parameter))
      whole[whole.length - 1] = {
        part: {
          kind: 'parameter',
          isQuoted: false,
          parameter: { ...parameter, name: parameter.name + cell.character },
        },
      };
    else whole.push(cell);
  }
  return whole;
}

function isExtensible({ isQuoted }: Expansion, { name, isBraced }: Parameter): boolean {
  return !isQuoted && !isBraced && /^[A-Za-z_]/.test(name);
}

function isThere({ text, isQuoted, isKnown }: Field): boolean {
  return text !== '' || isQuoted || !isKnown;
}

function toRunWord(
  { text, glob, isPattern, isKnown, hasNumber, pattern }: Field,
  { hasQuotedPattern, nested }: ShellWord,
): RunWord {
  return {
    text,
    isKnown,
    glob: pattern ?? (isPattern && hasPattern(glob) ? glob : undefined),
    hasQuotedPattern,
    nested,
    ...(hasNumber ? { hasNumber } : {}),
  };
}

/** An unclosed bracket is a literal bracket. */
function hasPattern(glob: string): boolean {
  const plain = glob.replaceAll(/\\./g, '');
  return /[*?]/.test(plain) || plain.indexOf(']', plain.indexOf('[') + 2) > plain.indexOf('[');
}

function addText(field: Field, text: string, isQuoted: boolean): void {
  field.isKnown &&= field.pattern === undefined;
  field.text += text;
  field.isQuoted ||= isQuoted;
  field.isPattern ||= !isQuoted && /[*?[]/.test(text);
  field.glob += isQuoted ? text.replaceAll(/[\\*?[\]]/g, String.raw`\$&`) : text;
}

/** Appends a value to the last field. An unquoted value is split, and its stars are patterns. */
function addValue(fields: Field[], value: Value, part: Expansion, scope: Scope): Field[] {
  const { isQuoted } = part;
  const field = fields.at(-1)!;
  if (!scope.takeRoom(value.text.length)) {
    field.isKnown = false;
    return fields;
  }
  field.hasNumber ||= value.isNumber === true;
  if (value.isOpen) {
    field.isKnown = false;
    field.isQuoted ||= isQuoted;
    field.text += value.text;
    return fields;
  }
  if (value.glob !== undefined) {
    // A matching name with extra text is no longer a matching name.
    if (field.text !== '' || !field.isKnown) field.isKnown = false;
    field.pattern = value.glob;
    field.text += value.text;
    return fields;
  }
  // `"$@"` without arguments expands to no word, not to an empty word.
  const isAbsent = part.kind === 'parameter' && part.parameter.name === '@' && value.text === '';
  if (isQuoted) addText(field, value.text, !isAbsent);
  else if (!scope.splitsAtBlanks) {
    addText(field, value.text, false);
    field.isKnown &&= value.text === '';
  } else {
    const [first = '', ...others] = value.text.split(/[ \t\n]+/);
    addText(field, first, false);
    for (const other of others) {
      fields.push(emptyField());
      addText(fields.at(-1)!, other, false);
    }
  }
  return fields;
}
