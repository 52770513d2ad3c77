import type { Envelope } from '../contract/envelope.ts';
import { codeEnvelopes } from './code-envelopes.ts';
import { arrows, jsonEnvelopes, templateTokens } from './json-envelopes.ts';
import { namedEnvelopes } from './named-envelopes.ts';
import { labelled } from './labelled-envelope.ts';
import { react } from './react-envelope.ts';
import { nameless, taggedEnvelopes } from './tagged-envelopes.ts';
import { morphXml } from './tool-tag-envelope.ts';
import { bareJson, callText, halfTagged, namedJson, pythonic } from './bare-envelopes.ts';
import { yamlBody } from './yaml-envelope.ts';

/** Every known envelope. Where several have the same opener, earlier ones are tried first. */
export const allEnvelopes: readonly Envelope[] = Object.freeze([
  ...namedEnvelopes,
  ...codeEnvelopes,
  ...jsonEnvelopes,
  arrows,
  yamlBody,
  ...taggedEnvelopes,
  react,
  morphXml,
  nameless,
  templateTokens,
  // Envelopes without text around the call.
  bareJson,
  pythonic,
  callText,
  namedJson,
  halfTagged,
  labelled,
]);
