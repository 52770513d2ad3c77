import type { Envelope } from '../../contract/envelope.ts';
import { jsonEnvelope } from '../makers/json-envelope.ts';

const TAGS =
  'function_call tool tools response json xml JSON function_calls tool_use functioncall function action call invoke tool_code toolcall tool-call TOOL_CALL'.split(
    ' ',
  );

/** `<function_call>{"name": …}`: what models write that remember the tag only roughly. The closer is often missing. */
export const tagAliases: Envelope = jsonEnvelope({
  name: 'tag-aliases',
  tier: 2,
  openers: TAGS.map((tag) => `<${tag}>`),
  closers: TAGS.map((tag) => `</${tag}>`),
});
