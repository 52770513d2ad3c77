import { readJsonCalls } from '../notations/json/read-json-calls.ts';
import type { Envelope } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { noWatch } from '../source/call-watch.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';

const templateTokenTexts =
  '<|im_start|> <|im_end|> <|start_header_id|> <|end_header_id|> <|eot_id|> <|eom_id|> <|end_of_text|> <|endoftext|> <|assistant|>'.split(
    ' ',
  );

// `<tool_call>` without its first bracket, at the beginning of a line.
const halfTags = ['tool_call>', 'function_call>'];

const declarationPattern = /<\?(?:xml[^<>?]{0,99})?\s{0,9}\?>|<!--\s{0,9}-->/y;

const closerPattern =
  /\s{0,9}(?:<\|[a-z_]{2,20}\|>|<\/(?:tool|function)_call>|<\?(?:xml[^<>?]{0,99})?\s{0,9}\?>|<!--\s{0,9}-->)(?![^\n])(?!\s{1,9}[{[])/y;

/** `<|im_start|>⏎{"name": …}⏎<|im_end|>`: counts only if calls of declared tools with arguments follow immediately. */
export const templateTokens: Envelope = growingEnvelope(
  { name: 'template-tokens', tier: 2, openers: [...templateTokenTexts, ...halfTags, '<?', '<!--'] },
  function* (source, start, body) {
    const isHalf = source.text[start] !== '<';
    if (isHalf && start > 0 && source.text[start - 1] !== '\n') return undefined;
    const isToken = isHalf || source.text[start + 1] === '|';
    const declaration = isToken ? null : yield* source.matchAt(declarationPattern, start);
    if (!isToken && declaration === null) return undefined;
    const at = declaration === null ? body : start + declaration[0].length;
    const place = { closers: [], openers: [], isLikely: true };
    // Only when all calls have been read is it known whether they are calls, so none is shown earlier.
    const found = yield* readJsonCalls(source, at, place, noWatch);
    const areCalls = found?.calls.every(
      ({ name, arguments: value, isDefinition }) =>
        value !== undefined && isDefinition !== true && resolveName(source.tools, name) !== undefined,
    );
    if (found === undefined || found.calls.length === 0 || areCalls !== true) return undefined;
    return { ...found, end: yield* source.skipMatch(closerPattern, found.end) };
  },
);
