import type { AnyTool, DescriptionContext } from '../contracts/tools/tool.ts';
import { HaftError } from '../haft-error.ts';

/** The description of a tool: text, or a function that returns the text each time the tool is listed. */
export type ToolDescription = string | ((context: DescriptionContext) => string);

const nowhere: DescriptionContext = { model: undefined, has: () => false };

/**
 * Returns the description of a tool without a specific model.
 * @throws HaftError `INVALID_TOOL` if the description is missing.
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

/**
 * Returns the current description of a tool, or `undefined` if the tool has no dynamic description or the function
 * throws.
 */
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
