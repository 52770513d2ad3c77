import * as char from '../text/char.ts';
import { afterBetween } from '../lookahead/skip-between.ts';
import { followableKeyAt, findContainer } from '../document/document-start.ts';
import { Machine } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';
import { type ValueForm, toMachineLimits } from '../document/read-value.ts';
import { beginsOpenReasoning } from '../text/reasoning.ts';
import { matchEnd } from '../text/characters.ts';

/**
 * Returns the offset of the value in a text that is still growing, `later` if it is not known yet, and `never` if it is
 * known only at the end.
 */
export type Start = { readonly at: number; readonly form: ValueForm } | 'later' | 'never';

/** Number of characters that show what a brace opens. */
const enough = 96;
/** Maximum length of a tag that begins reasoning. */
const tagLength = 16;

// Openers and white space, including escaped white space.
const openersPattern = /(?:[\s[{\uff3b\uff5b]|\\[nrt])*/y;

/** Searches for the value from an offset on. `isFirst`: only the content of `text` came before. */
export function findStart(text: string, from: number, isFirst: boolean): Start {
  if (isFirst) {
    const key = implicitStart(text);
    if (key !== undefined) return key;
  }
  const at = findContainer(text, from);
  const openThought = unclosedReasoning(text, from, at === -1 ? text.length : at);
  if (openThought || at === -1) return 'later';
  const inner = matchEnd(openersPattern, text, at);
  const code = text.charCodeAt(inner);
  // A document that is encoded as a whole can be decoded only as a whole.
  if (code === char.backslash || code === char.ampersand) return inner + 1 < text.length ? 'never' : 'later';
  const isPlain = inner < text.length && '"}]'.includes(text[inner] ?? '');
  return isPlain || text.length >= inner + enough ? { at, form: 'value' } : 'later';
}

/** The offset at which an unfinished search continues, because tags and braces may be incomplete. */
export function searchedTo(text: string, from: number): number {
  const at = findContainer(text, from);
  if (at !== -1 || unclosedReasoning(text, from, text.length)) return from;
  return Math.max(from, text.length - tagLength);
}

/** `"a": 1, …`, without its opening brace. */
function implicitStart(text: string): Start | undefined {
  const limits = toMachineLimits();
  const machine = new Machine({ text, at: 0, ended: false, state: 'beforeValue', stopped: false, limits });
  const at = afterBetween(machine, 0);
  const code = codeAt(machine, at);
  if (machine.needsMore) return 'later';
  if (code !== 0x22) return undefined;
  const close = text.indexOf('"', at + 1);
  if (close === -1 || text.slice(close + 1).trim() === '') return text.length - at < 1_100 ? 'later' : undefined;
  return followableKeyAt(text, 0) === at ? { at, form: 'members' } : undefined;
}

function unclosedReasoning(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if ((code === 0x3c || code === 0x5b) && beginsOpenReasoning(text, at)) return true;
  }
  return false;
}
