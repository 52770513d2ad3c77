import { isNameStart } from '../../../json/text/characters.ts';
import { mayOpenAt } from '../../source/envelope-index.ts';
import type { Reading } from '../../source/growing-text.ts';
import { residueBefore, turnPattern } from '../queue/message-residue.ts';
import { quotedCall } from '../found-calls/read-quoted-message.ts';
import { beginsLine, passBare } from './pass-bare.ts';
import { passFence } from './pass-fence.ts';
import { passProse } from './pass-prose.ts';
import { passOpened } from './pass-opened.ts';
import type { Scan } from './scan.ts';
import { itemMarkCodes, noteCharacter } from './scan-state.ts';

/** Reads a message from left to right: skips prose, and gives calls and refused calls to `scan.queue`. */
export function* scanMessage(scan: Scan): Reading<never> {
  const { source } = scan;
  for (;;) {
    passPlain(scan);
    scan.forget();
    if (scan.state.at < source.text.length) yield* readSpecial(scan);
    else yield undefined;
  }
}

/** Skips characters that can't begin anything. */
function passPlain(scan: Scan): void {
  const { source, state } = scan;
  const { index, text, ended } = source;
  const areBareOver = scan.areBareCallsOver();
  for (; state.at < text.length; state.at += 1) {
    const { at } = state;
    const code = text.charCodeAt(at);
    if (code === 0x0a) {
      state.isLineStart = true;
      state.isFresh = true;
    } else if (code === 0x20 || code === 0x09 || code === 0x0d) {
      if (mayOpenAt(index, text, at, ended)) return;
    } else {
      if (state.isHead || specialCodes.has(code) || mayOpenAt(index, text, at, ended)) return;
      const mayBeItem = !areBareOver && itemMarkCodes.has(code);
      if (state.isLineStart && (mayBeItem || (state.callsEnd > 0 && speakerCodes.has(code)))) return;
      if (!areBareOver && state.isFresh && isNameStart(code)) return;
      noteCharacter(state, code);
    }
  }
}

// Backtick, tilde, angle and square brackets, brace, the triangle of one family's reasoning tags, and the flower of another one's calls.
const specialCodes: ReadonlySet<number> = new Set([0x60, 0x7e, 0x3e, 0x3c, 0x5b, 0x7b, 0x25c1, 0x273f]);

// The characters that begin the label of another speaker, outside of brackets.
const speakerCodes: ReadonlySet<number> = new Set(Array.from('uUhHtTsSr*#O观', (mark) => mark.charCodeAt(0)));

const systemPattern = /(?:System|SYSTEM):(?=\s)/y;

/** Tokens of chat templates that begin a turn of the user or the system. */
const promptPattern =
  /<\|(?:im_start|start|start_header_id)\|>\s{0,9}(?:user|human|system)(?!\w)|<\|(?:user|human|system)\|>|<start_of_turn>user(?!\w)|\[INST\]/y;
// In the middle of a sentence, the token is only mentioned.
const beforeInstruction = /(?:^|\n|<\/?s>\s?)$/;

function* readSpecial(scan: Scan): Reading<void> {
  const { source, state } = scan;
  const { at } = state;
  const character = source.text[at] ?? '';
  // Most tags can't begin a turn, which the next character shows, unless it has not arrived.
  const isToken = character === '[' ? beforeInstruction.test(source.before(at, 6)) : character === '<';
  const mayBePrompt = isToken && [undefined, '|', 's', 'I'].includes(source.text[at + 1]);
  if (mayBePrompt && (yield* source.matchAt(promptPattern, at)) !== null) {
    // A message that begins with a prompt repeats the whole conversation, so that its last turn is the model's own.
    state.beginsWithPrompt ||= state.isHead;
    state.isOtherTurn ||= !state.beginsWithPrompt;
  }
  if (state.callsEnd > 0 && (state.isLineStart || '<[✿'.includes(character)))
    state.isOtherTurn ||= (yield* source.matchAt(turnPattern, at)) !== null;
  // In other lines, it may be a fact, such as `System: Linux`.
  if (character === 'S' && state.callsEnd > 0 && scan.isRightAfter(state.callsEnd))
    state.isOtherTurn ||= (yield* source.matchAt(systemPattern, at)) !== null;
  if (state.isHead && (yield* source.matchAt(quotedCall, at)) !== null) {
    scan.queue.pass(at);
    scan.queue.list.push({ kind: 'wholeQuote', start: scan.queue.passed });
  }
  if (yield* passKnown(scan, character)) return;
  if (character !== ' ') noteCharacter(state, source.text.charCodeAt(at));
  state.at = at + 1;
}

const inlineCallPattern = /`{1,2}[A-Za-z_[]/y;

/** Handles what begins with a character: the first that fits, in this order. Returns false if nothing begins there. */
function* passKnown(scan: Scan, character: string): Reading<boolean> {
  const { source, state } = scan;
  if (
    character === '`' &&
    (state.isHead || beginsLine(source, state.at)) &&
    (yield* source.matchAt(inlineCallPattern, state.at)) !== null &&
    (yield* passBare(scan))
  )
    return true;
  if (character === '`' || (character === '~' && state.isLineStart)) {
    yield* passFence(scan);
    return true;
  }
  if (character === '>' && state.isLineStart && (yield* source.needleAt(['>>>'], state.at)) === undefined) {
    if ((yield* scan.passUntil(['\n'])) !== '') state.at -= 1;
    return true;
  }
  if ('<[◁'.includes(character) && (yield* passProse(scan))) return true;
  if (yield* passOpened(scan)) return true;
  if (character === ' ') return false;
  return (yield* passBare(scan)) || (state.isHead && (yield* passResidue(scan)));
}

/** Template residue before a message. */
function* passResidue(scan: Scan): Reading<boolean> {
  const { source, state } = scan;
  const residue = (yield* source.matchAt(residueBefore, state.at))?.[0];
  if (residue === undefined) return false;
  scan.goTo(state.at + residue.length);
  state.isHead = true;
  return true;
}
