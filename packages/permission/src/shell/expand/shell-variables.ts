import { findAssigned, readAssignedName } from '../parse/read-assigned-name.ts';
import { append, expandToValues, expandWord } from './expand-word.ts';
import { openValue } from '../run/default-values.ts';
import { numberValues, type RunWord, type Scope, type Value } from '../run/run-word.ts';
import type { Reach } from '../syntax/shell-word.ts';
import type { ShellCommand, ShellWord, WordPart } from '../syntax/shell-word.ts';

/** The values that the variables of a line may hold. */
export type Variables = ReadonlyMap<string, readonly Value[]>;

const maxValues = 16;
const maxRounds = 3;
const declaring: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
const reading: ReadonlySet<string> = new Set([
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'let',
  'unset',
  'wait',
  'printf',
]);

const declaresOwn = /^(?:declare|typeset|local)$/;

/** Records an assignment. */
type Note = (name: string, values: readonly Value[], isAppended?: boolean) => void;

/**
 * Collects the values that the variables of a line may hold, wherever the line sets them. Control flow is not tracked,
 * so each variable may hold any of its values at any place. In a loop, a value that is appended to may become anything.
 */
export function collectVariables(
  commands: readonly ShellCommand[],
  inherited: Variables,
  { text, hasLoop }: { readonly text: string; readonly hasLoop: boolean },
  scopeOf: (variables: Variables) => Scope,
): Variables {
  const setting = commands.filter(setsVariables);
  if (setting.length === 0) return inherited;
  const variables = new Map(inherited);
  let places: NameOccurrences | undefined;
  // Literal texts are the same in every round.
  const rounds = setting.every(isPlain) ? 1 : maxRounds;
  let hasChanged = true;
  let hasAppended = false;
  const note = (name: string, values: readonly Value[]): void => {
    const known = variables.get(name) ?? [];
    const joined = joinValues(name, known, values);
    if (joined.length === known.length) return;
    variables.set(name, joined);
    hasChanged = true;
  };
  for (let round = 0; hasChanged && round < rounds; round += 1) {
    hasChanged = false;
    const scope = scopeOf(variables);
    for (const command of setting)
      noteAssignments(command, scope, (name, values, isAppended) => {
        if (isAppended === true) hasAppended = true;
        else note(name, values);
        // The variable may be read where this command did not run, or has not run yet.
        const { reach } = command;
        if (!reach || mayFail(command) || !isSureAt((places ??= findNames(text)).get(name), reach))
          note(name, unset(name, scope));
      });
  }
  if (rounds === 1) hasChanged = false;
  // Values that are built from each other may grow forever.
  if (hasChanged) for (const name of Array.from(variables.keys())) note(name, [openValue(name)]);
  if (!hasAppended) return variables;
  const scope = scopeOf(variables);
  for (const command of setting)
    noteAssignments(command, scope, (name, values, isAppended) => {
      if (isAppended !== true) return;
      const before = variables.get(name) ?? [{ text: '' }];
      note(
        name,
        before.flatMap((value) => values.map((next) => append(value, next, scope))),
      );
      if (hasLoop) note(name, [openValue(name)]);
    });
  return variables;
}

/** Returns the value of a variable that the line has not set. */
export function unset(name: string, scope: Scope): readonly Value[] {
  const values = scope.valuesByDefault(name).filter(({ isOpen }) => isOpen !== true);
  return values.length === 0 ? [{ text: '' }] : values;
}

/** A position at which a name occurs in a text. */
interface NameOccurrence {
  readonly first: number;
  second: number;
  last: number;
}

type NameOccurrences = ReadonlyMap<string, NameOccurrence>;

function findNames(text: string): NameOccurrences {
  const places = new Map<string, NameOccurrence>();
  aName.lastIndex = 0;
  for (let found = aName.exec(text); found !== null; found = aName.exec(text)) {
    const known = places.get(found[0]);
    if (known) {
      known.second = Math.min(known.second, found.index);
      known.last = found.index;
    } else places.set(found[0], { first: found.index, second: Number.POSITIVE_INFINITY, last: found.index });
  }
  return places;
}

const aName = /[A-Za-z_]\w*/g;

/** Returns whether a command with this reach runs before every command that may read the variable it sets. */
function isSureAt(place: NameOccurrence | undefined, reach: Reach): boolean {
  return place !== undefined && place.first >= reach.from && place.second >= reach.behind && place.last < reach.end;
}

/**
 * Returns whether a declaring builtin may fail: outside a function, for an unknown option, or for an option that
 * queries.
 */
function mayFail({ words, construct }: ShellCommand): boolean {
  const [first, ...rest] = words;
  if (!first || construct !== undefined || !declaring.has(first.text)) return false;
  const options = declaresOwn.test(first.text) ? /^-[xgrit]+$/ : /^--$/;
  return first.text === 'local' || rest.some(({ text }) => /^[-+${*?[]/.test(text) && !options.test(text));
}

function setsVariables({ words, assignments, construct }: ShellCommand): boolean {
  const name = words[0]?.text ?? '';
  return (
    assignments.length > 0 || construct === 'for' || construct === 'select' || declaring.has(name) || reading.has(name)
  );
}

function isPlain({ words, assignments }: ShellCommand): boolean {
  return assignments.every(({ isLiteral }) => isLiteral) && words.every(({ isLiteral }) => isLiteral);
}

function noteAssignments({ words, assignments, construct }: ShellCommand, scope: Scope, note: Note): void {
  const [first, ...rest] = words;
  for (const word of assignments) {
    noteAssignment(word, scope, note);
    // Assignments before a command apply only to that command.
    const name = /^\w+/.exec(word.text)?.[0] ?? '';
    if (first) note(name, scope.valuesByDefault(name));
  }
  if (!first) return;
  if (construct === 'for' || construct === 'select') {
    const items = rest[0]?.text === 'in' ? rest.slice(1).flatMap((word) => valuesOfItem(word, scope)) : undefined;
    note(first.text, items ?? [openValue(first.text)]);
    // `for` with an empty list, or `select` with an answer that is not the number of an item.
    if (construct === 'select' || items?.length === 0) note(first.text, unset(first.text, scope));
  } else if (construct !== undefined) return;
  else if (declaring.has(first.text)) {
    const isNumeric = rest.some(({ text }) => /^-[a-zA-Z]*i/.test(text));
    for (const word of rest) {
      if (isNumeric) note(/^\w*/.exec(word.text)![0], numberValues);
      if (hasBraces(word)) for (const own of expandWord(word, scope).flat()) noteDeclared(own, note);
      else noteAssignment(word, scope, note);
      // A new local variable is empty at first.
      if (declaresOwn.test(first.text) && /^[A-Za-z_]\w*$/.test(word.text)) note(word.text, [{ text: '' }]);
    }
  } else if (first.text === 'printf') {
    if (rest[0]?.text === '-v' && rest[1]) note(rest[1].text, [openValue(rest[1].text)]);
  } else if (first.text === 'let') {
    for (const { parts } of rest) for (const name of findAssigned(parts)) note(name, numberValues);
  } else if (reading.has(first.text)) {
    for (const { text } of rest) {
      const name = text.replace(/[^\w].*$/s, '');
      if (name !== '') note(name, [openValue(name)]);
    }
  }
}

/** Returns the values that a loop variable takes from one word of its list. */
function valuesOfItem(word: ShellWord, scope: Scope): readonly Value[] {
  const values = expandWord(word, scope).flat().map(toValue);
  // The whole value may be known to consist of numbers even if its words are not known.
  return values.every(({ isOpen }) => isOpen) && !hasBraces(word) ? expandToValues(word.parts, scope) : values;
}

function toValue({ text, glob, isKnown, hasNumber }: RunWord): Value {
  if (!isKnown) return { text, isOpen: true };
  if (hasNumber) return { text, isNumber: true };
  return glob === undefined ? { text } : { text, glob };
}

function noteAssignment(word: ShellWord, scope: Scope, note: Note): void {
  const assigned = readAssignedName(word.text);
  if (!assigned) return;
  const { name, length, isAppended } = assigned;
  note(name, expandToValues(withoutBeginning(word.parts, length), scope), isAppended);
  // An array name without a subscript means its first element.
  if (word.text[name.length] === '[') note(name, [{ text: '' }]);
}

/** After `export` and in the list of `for`, unlike in an assignment, braces expand to words. */
function hasBraces({ parts }: ShellWord): boolean {
  return parts.some((part) => part.kind === 'text' && !part.isQuoted && part.text.includes('{'));
}

function noteDeclared(word: RunWord, note: Note): void {
  const assigned = readAssignedName(word.text);
  if (!assigned) return;
  const value = { ...toValue(word), text: word.text.slice(assigned.length) };
  note(assigned.name, [value], assigned.isAppended);
}

/** Returns the parts after this many characters, which are literal text. */
function withoutBeginning(parts: readonly WordPart[], length: number): readonly WordPart[] {
  const [first, ...rest] = parts;
  if (first?.kind !== 'text') return parts;
  if (first.text.length < length) return withoutBeginning(rest, length - first.text.length);
  const text = first.text.slice(length);
  return text === '' ? rest : [{ ...first, text }, ...rest];
}

export function joinValues(name: string, known: readonly Value[], values: readonly Value[]): readonly Value[] {
  const joined = [...known];
  for (const value of values) {
    if (joined.some((other) => isSame(other, value))) continue;
    if (joined.length === maxValues) return [...joined, openValue(name)];
    if (joined.length < maxValues) joined.push(value);
  }
  return joined;
}

function isSame(one: Value, other: Value): boolean {
  return (
    one.text === other.text &&
    one.glob === other.glob &&
    one.isOpen === other.isOpen &&
    one.isNumber === other.isNumber &&
    one.isHarmless === other.isHarmless
  );
}
