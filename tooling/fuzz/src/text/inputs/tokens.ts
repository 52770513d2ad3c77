import { allEnvelopes } from '@haft/repair';

import tokens from './tokens.json' with { type: 'json' };
import { fuzzedTools } from './fuzzed-tools.ts';

/** Tokens of JSON, and of their usual replacements. */
// Not every reader of JSON files accepts half of a surrogate pair.
export const jsonTokens: readonly string[] = [...tokens.json, '\ud83d', '\ude00'];

const openers = allEnvelopes.flatMap(({ openers }) => (typeof openers === 'function' ? openers(fuzzedTools) : openers));
const closers = openers.filter((opener) => /^<[\w|]/.test(opener)).map((opener) => opener.replace('<', '</'));
const names = fuzzedTools.flatMap(({ name }) => [name, `"${name}"`, `${name}(`, `<${name}>`]);

/** Tokens of calls, in every envelope. */
export const callTokens: readonly string[] = [...tokens.calls, ...openers, ...closers, ...names];
