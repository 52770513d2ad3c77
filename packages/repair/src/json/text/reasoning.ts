import * as char from './char.ts';

/** The names of tags around reasoning. */
export const reasoningTags: readonly string[] = 'think thinking thought reasoning longcat_think seed:think'.split(' ');
/** The names of tags that may also contain the answer. They count as reasoning if an object or a list follows. */
export const looseTags: readonly string[] = ['thoughts', 'reflection', 'scratchpad'];

/** The texts around reasoning. */
interface Tags {
  readonly opener: string;
  readonly closer: string;
  readonly isLoose?: boolean;
}

const tagged = (names: readonly string[], isLoose: boolean): Tags[] =>
  names.map((name) => ({ opener: `<${name}>`, closer: `</${name}>`, isLoose }));

const allTags: readonly Tags[] = [
  ...tagged(reasoningTags, false),
  ...tagged(looseTags, true),
  { opener: '[THINK]', closer: '[/THINK]' },
  { opener: '<|START_THINKING|>', closer: '<|END_THINKING|>' },
  { opener: '<|channel|>analysis<|message|>', closer: '<|end|>' },
  { opener: '<|channel>thought', closer: '<channel|>' },
  { opener: '◁think▷', closer: '◁/think▷' },
];

const tagsAt = (text: string, at: number): Tags | undefined =>
  allTags.find(({ opener }) => text.startsWith(opener, at));

/**
 * Returns the end of the reasoning at an offset, including its closing tag, or -1 if no reasoning begins there or it
 * never ends.
 * `unending` collects the closing tags that do not occur any more, for a search that continues through the text.
 */
export function reasoningEnd(text: string, at: number, unending: Set<string> = new Set()): number {
  const { opener = '', closer = '', isLoose } = tagsAt(text, at) ?? {};
  if (opener === '' || unending.has(opener)) return -1;
  const found = text.indexOf(closer, at);
  const end = found + closer.length;
  if (found === -1) unending.add(opener);
  if (found === -1 || (isLoose === true && text.indexOf('{', end) === -1 && text.indexOf('[', end) === -1)) return -1;
  return end;
}

/** Returns the offset after reasoning whose opening tag is missing, or 0. */
export function orphanReasoningEnd(text: string): number {
  for (const { opener, closer, isLoose } of allTags) {
    // Without its opening tag, `<|end|>` ends any message, and a loose tag may be anything.
    const found = closer === '<|end|>' || isLoose === true ? -1 : text.indexOf(closer);
    if (found !== -1 && !text.slice(0, found).includes(opener)) return found + closer.length;
  }
  return 0;
}

/** Returns whether reasoning begins at an offset and does not end in the text. */
export const beginsOpenReasoning = (text: string, at: number): boolean =>
  tagsAt(text, at) !== undefined && reasoningEnd(text, at) === -1;

/** Returns whether an offset is inside reasoning that has not ended before it. */
export function isInReasoning(text: string, at: number): boolean {
  return allTags.some(({ opener, closer, isLoose }) => {
    if (isLoose === true) return false;
    const begin = at === 0 ? -1 : text.lastIndexOf(opener, at - 1);
    const end = begin === -1 ? -1 : text.indexOf(closer, begin);
    return begin !== -1 && (end === -1 || end >= at);
  });
}

// `…], "filter": ` before a container: it is a member of an object whose opener was not recognized.
const memberPattern = /["\]}]\s*,\s*["']?[\w$-]{1,64}["']?\s*[:=]\s*$/;
const reach = 200;

/** Returns whether a container is inside an object, a string or reasoning that began before it. */
export function liesInside(text: string, at: number): boolean {
  if (at === 0) return false;
  return isInReasoning(text, at) || memberPattern.test(text.slice(Math.max(0, at - reach), at)) || isEnclosed(text, at);
}

/** Returns whether a brace or a quote is open at an offset. A quote directly before it encloses the container. */
export function isEnclosed(text: string, at: number): boolean {
  const end = text[at - 1] === '"' ? at - 1 : at;
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === char.backslash) index += 1;
    else if (code === char.quote) isQuoted = !isQuoted;
    else if (code === char.openBrace) depth += 1;
    else if (code === char.closeBrace) depth -= 1;
  }
  return isQuoted || depth > 0;
}
