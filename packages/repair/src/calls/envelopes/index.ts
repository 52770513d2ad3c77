import type { Envelope } from '../envelope.ts';
import { bareJson } from './bare-json.ts';
import { callText } from './call-text.ts';
import { hermes } from './hermes.ts';
import { nemotronToolcall } from './nemotron-toolcall.ts';
import { pythonic } from './pythonic.ts';
import { pythonicTokens } from './pythonic-tokens.ts';
import { tagAliases } from './tag-aliases.ts';
import { toolCallsArray } from './tool-calls-array.ts';

/** Every envelope that is known, in the order in which they are tried where openers collide. */
export const allEnvelopes: readonly Envelope[] = [
  pythonicTokens,
  hermes,
  toolCallsArray,
  nemotronToolcall,
  tagAliases,
  bareJson,
  pythonic,
  callText,
];
