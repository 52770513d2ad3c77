import type { JsonObject, JsonValue } from '@haft/repair';

import { writePythonString } from '../../damaged-json/damages/style.ts';
import type { Random } from '../../random.ts';
import type { Call } from '../calls/call.ts';

/** The style in which one message writes calls as code. A model keeps its habits. */
export interface Hand {
  readonly words: 'python' | 'json';
  readonly quotes: 'repr' | 'json' | 'triple' | 'raw lines' | 'prefixed';
  /** `a=1`, `a = 1`, `a: 1`. */
  readonly sign: string;
  readonly layout: 'line' | 'lines' | 'lines with comments' | 'trailing comma';
  /** Omits the last comma but one: `f(a="x" b=3)`. */
  readonly losesComma: boolean;
  readonly dictCalls: boolean;
}

/** Picks a style: most are plain, and some combine two rare habits. */
export function pickHand(random: Random): Hand {
  return {
    words: random.chance(0.8) ? 'python' : 'json',
    quotes: random.chance(0.7) ? random.pick(['repr', 'json']) : random.pick(['triple', 'raw lines', 'prefixed']),
    sign: random.chance(0.75) ? '=' : random.pick([' = ', ': ', '= ']),
    layout: random.chance(0.7) ? 'line' : random.pick(['lines', 'lines with comments', 'trailing comma']),
    losesComma: random.chance(0.04),
    dictCalls: random.chance(0.05),
  };
}

/** The text in the parentheses of a call. */
export function writeParameters({ arguments: values }: Call, hand: Hand, random: Random): string {
  const entries = Object.entries(values);
  if (entries.length === 0) return '';
  const isNamed = entries.every(([key]) => /^[A-Za-z_]\w*$/.test(key));
  if (!isNamed) return `**${writeCode(values, hand)}`;
  const parts = entries.map(([key, value]) => `${key}${hand.sign}${writeCode(value, hand)}`);
  const lost = hand.losesComma && parts.length > 1 ? random.whole(1, parts.length - 1) : -1;
  const join = (between: string): string =>
    parts.map((part, index) => (index === 0 ? part : `${index === lost ? ' ' : between}${part}`)).join('');
  switch (hand.layout) {
    case 'line':
      return join(', ');
    case 'trailing comma':
      return `${join(', ')},`;
    case 'lines':
      return `\n    ${join(',\n    ')}\n`;
    default:
      return `\n    ${parts.map((part, index) => `${part}${index < parts.length - 1 ? ',' : ''}  # ${random.pick(['as asked', 'the default', "user's choice"])}`).join('\n    ')}\n`;
  }
}

/** A value as code. */
export function writeCode(value: JsonValue, hand: Hand): string {
  if (typeof value === 'string') return writeText(value, hand);
  if (value === null) return hand.words === 'python' ? 'None' : 'null';
  if (typeof value === 'boolean') {
    const word = String(value);
    return hand.words === 'python' ? word.replace(/^./, (first) => first.toUpperCase()) : word;
  }
  if (typeof value === 'number') return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${(value as readonly JsonValue[]).map((item) => writeCode(item, hand)).join(', ')}]`;
  return writeDict(value as JsonObject, hand);
}

function writeDict(value: JsonObject, hand: Hand): string {
  const entries = Object.entries(value);
  if (hand.dictCalls && entries.length > 0 && entries.every(([key]) => /^[A-Za-z_]\w*$/.test(key)))
    return `dict(${entries.map(([key, member]) => `${key}=${writeCode(member, hand)}`).join(', ')})`;
  return `{${entries.map(([key, member]) => `${writeText(key, { ...hand, quotes: hand.quotes === 'json' ? 'json' : 'repr' })}: ${writeCode(member, hand)}`).join(', ')}}`;
}

function writeText(text: string, { quotes }: Hand): string {
  const isSafe = !/["'\\]/.test(text);
  switch (quotes) {
    case 'repr':
      return writePythonString(text);
    case 'json':
      return JSON.stringify(text);
    case 'triple':
      return text.includes('\n') && !/"""|"$|\\/.test(text) ? `"""${text}"""` : writePythonString(text);
    case 'raw lines':
      return text.includes('\n') && isSafe ? `"${text}"` : JSON.stringify(text);
    default:
      if (text.includes('\n') || /["{}]/.test(text)) return JSON.stringify(text);
      return text.includes('\\') ? (text.endsWith('\\') ? JSON.stringify(text) : `r"${text}"`) : `f"${text}"`;
  }
}
