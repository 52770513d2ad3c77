import * as char from '../text/char.ts';
import { nextToken } from '../lookahead/next-token.ts';
import { followableKeyAt, findContainer } from '../document/find-root.ts';
import { mayBeIndex, quotedEndLength } from '../document/prose-brackets.ts';
import { type FirstState, Machine } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';
import { beginsOpenReasoning } from '../text/reasoning.ts';
import { isIn, matchEnd } from '../text/characters.ts';

/**
 * The value in a text that is still growing, the offset at which the search for it continues, or `never` if it is known
 * only at the end.
 */
export type Start = { readonly at: number; readonly state: FirstState } | number | 'never';

/** Number of characters that show what a brace opens. */
const enough = 96;
/** Maximum length of a tag that begins reasoning. */
const tagLength = 16;

// Openers and white space, including escaped white space.
const openersPattern = /(?:[\s[{\uff3b\uff5b]|\\[nrt])*/y;

/** Searches for the value from an offset on. `isFirst`: only the content of `text` came before. */
export function findStart(text: string, from: number, isFirst: boolean): Start {
  const key = isFirst ? implicitStart(text) : undefined;
  if (key !== undefined) return key;
  const at = findContainer(text, from);
  if (unclosedReasoning(text, from, at === -1 ? text.length : at)) return from;
  // Tags and braces at the end may be incomplete.
  if (at === -1) return Math.max(from, text.length - tagLength);
  const inner = matchEnd(openersPattern, text, at);
  const code = text.charCodeAt(inner);
  // A document that is encoded as a whole can be decoded only as a whole.
  if (code === char.backslash || code === char.ampersand) return inner + 1 < text.length ? 'never' : from;
  // A bracket between quotes may end a quotation.
  const mayEndQuotation = code === char.quote && inner === at + 1 && text.lastIndexOf('"', at) !== -1;
  if (mayEndQuotation && text.length <= at + quotedEndLength) return from;
  const isShown = isIn('"}]', code) && !mayBeIndex(text, at);
  return isShown || text.length >= inner + enough ? { at, state: 'beforeValue' } : from;
}

/** `"a": 1, …`, without its opening brace. */
function implicitStart(text: string): Start | undefined {
  const machine = new Machine({ text, at: 0, ended: false, state: 'beforeValue' });
  const at = nextToken(machine, 0);
  const code = codeAt(machine, at);
  if (machine.needsMore) return 0;
  if (code !== char.quote) return undefined;
  const close = text.indexOf('"', at + 1);
  if (close === -1 || text.slice(close + 1).trim() === '') return text.length - at < 1_100 ? 0 : undefined;
  return followableKeyAt(text, 0) === at ? { at, state: 'members' } : undefined;
}

function unclosedReasoning(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if ((code === char.less || code === char.openBracket) && beginsOpenReasoning(text, at)) return true;
  }
  return false;
}
