import type { Envelope } from '../../contract/envelope.ts';
import { callEnvelope } from '../makers/call-envelope.ts';

const TAGS =
  'tool_call tool_calls function_call tool tools TOOLCALL response python functioncall function_calls action call tool_code toolcall tool-call TOOL_CALL execute'.split(
    ' ',
  );

/** `<tool_call>[weather_at(city="Ulm")]</tool_call>`: code where the tag promises JSON. */
export const taggedCode: Envelope = callEnvelope({
  name: 'tagged-code',
  tier: 2,
  openers: TAGS.map((tag) => `<${tag}>`),
  closers: TAGS.map((tag) => `</${tag}>`),
  layout: { isList: true },
});
