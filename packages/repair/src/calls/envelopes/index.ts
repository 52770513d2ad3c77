import type { Envelope } from '../contract/envelope.ts';
import { callEnvelopes, lfm2, taggedCode } from './code-envelopes.ts';
import { jsonEnvelopes, tagAliases } from './json-envelopes.ts';
import { namedEnvelopes } from './named-envelopes.ts';
import { labelled } from './labelled.ts';
import { pythonCode } from './python-code.ts';
import { react } from './react.ts';
import { taggedEnvelopes } from './tagged-envelopes.ts';
import { templateTokens } from './template-tokens.ts';
import { morphXml } from './tool-tags.ts';
import { bareJson, callText, halfTagged, namedJson, pythonic } from './untagged.ts';
import { yamlBody } from './yaml-body.ts';

/** Every known envelope. Where several have the same opener, earlier ones are tried first. */
export const allEnvelopes: readonly Envelope[] = Object.freeze([
  ...namedEnvelopes,
  lfm2,
  ...jsonEnvelopes,
  yamlBody,
  ...taggedEnvelopes,
  pythonCode,
  ...callEnvelopes,
  react,
  morphXml,
  tagAliases,
  taggedCode,
  templateTokens,
  // Envelopes without text around the call.
  bareJson,
  pythonic,
  callText,
  namedJson,
  halfTagged,
  labelled,
]);
