import { isNamePart } from '../../text/characters.ts';
import { deliverSource, isTextDue } from '../../machine/declared.ts';
import type { Fix } from '../../machine/fix.ts';
import { opensNextAt } from '../../lookahead/follow.ts';
import { codeAt, deliver, note } from '../../machine/machine.ts';
import type { RepairRisk } from '../../result/repair-result.ts';
import { deliverTooLarge, endsNumber } from '../../actions/numbers.ts';

interface Spelling {
  readonly code: string;
  readonly pattern: RegExp;
  readonly risk: RepairRisk;
  readonly read: (text: string) => number;
}

const plain = (text: string): number => Number(text);
const withoutUnderscores = (text: string): number => Number(text.replaceAll('_', ''));

// Each matches a whole number token; all are anchored and free of nested repetition.
const spellings: readonly Spelling[] = [
  { code: 'leading-zeros', pattern: /^[+-]?0+[0-9]+(?:\.[0-9]+)?$/, risk: 'lossy', read: plain },
  { code: 'leading-plus', pattern: /^\+[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/, risk: 'safe', read: plain },
  { code: 'leading-dot', pattern: /^[+-]?\.[0-9]+(?:[eE][+-]?[0-9]+)?$/, risk: 'safe', read: plain },
  { code: 'trailing-dot', pattern: /^[+-]?[0-9]+\.(?:[eE][+-]?[0-9]+)?$/, risk: 'safe', read: plain },
  { code: 'other-radix', pattern: /^0[xX][0-9a-fA-F]+$|^0[oO][0-7]+$|^0[bB][01]+$/, risk: 'safe', read: plain },
  {
    code: 'digit-separators',
    pattern: /^(?=[^_]*_)[+-]?[0-9][0-9_]*(?:\.[0-9_]+)?$/,
    risk: 'safe',
    read: withoutUnderscores,
  },
  { code: 'big-integer', pattern: /^-?(?:0|[1-9][0-9]*)n$/, risk: 'safe', read: (text) => Number(text.slice(0, -1)) },
];

/** A number as another language spells it. `[+1, .5, 1., 0x1F, 1_000]` */
export const otherNumbers: Fix = {
  code: 'other-number',
  risk: 'safe',
  attempt: (machine) => {
    const { at, text } = machine;
    let end = at;
    for (let code = codeAt(machine, end); isNamePart(code) || code === 0x2b; code = codeAt(machine, end)) end += 1;
    const isWhole = endsNumber(codeAt(machine, end)) || opensNextAt(machine, end);
    if (!isWhole || machine.needsMore || end - at > 400) return undefined;
    const word = text.slice(at, end);
    const spelling = spellings.find((candidate) => candidate.pattern.test(word));
    if (spelling === undefined) return undefined;
    if (isTextDue(machine, 'number')) return deliverSource(machine, at, end);
    const value = spelling.read(word);
    if (!Number.isFinite(value)) return deliverTooLarge(machine, at, end);
    // Who wrote a big integer meant every digit of it.
    const isRounded = spelling.code === 'big-integer' && !Number.isSafeInteger(value);
    note(machine, spelling.code, isRounded ? 'lossy' : spelling.risk, at, end, String(value));
    deliver(machine, value, at);
    machine.at = end;
    machine.last = 'number';
    machine.lastStart = at;
    return machine.failure === undefined ? 'afterValue' : undefined;
  },
};
