import type { AnyTool, DescriptionContext } from '../contracts/tools/tool.ts';
import { HaftError } from '../haft-error.ts';

/** How a definition describes its tool: in words, or by a function that finds them each time the tool is listed. */
export type ToolDescription = string | ((context: DescriptionContext) => string);

const nowhere: DescriptionContext = { model: undefined, has: () => false };

/**
 * The words of a tool that nobody in particular is shown.
 * @throws HaftError `INVALID_TOOL` when there are none.
 */
export function wordsOf(name: string, description: ToolDescription): string {
  let words: unknown = description;
  if (typeof description === 'function') {
    try {
      words = description(nowhere);
    } catch (cause) {
      throw new HaftError('INVALID_TOOL', `the description of the tool ${name} throws without a model`, { cause });
    }
  }
  if (isText(words)) return words;
  throw new HaftError('INVALID_TOOL', `the tool ${name} needs a description: one or two sentences for the model`);
}

/** The words of a tool now; `undefined` when it has none of the moment, or throws. */
export function tryDescribe(tool: AnyTool, context: DescriptionContext): string | undefined {
  try {
    const words: unknown = tool.describe?.(context);
    return isText(words) ? words : undefined;
  } catch {
    return undefined;
  }
}

function isText(words: unknown): words is string {
  return typeof words === 'string' && words.trim() !== '';
}
