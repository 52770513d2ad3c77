import type { JsonSchema } from '@haft/schema';
import { ToolkitError } from '../toolkit-error.ts';
import { buildPrompt, type MarkdownPrompt } from './build-prompt.ts';

/** What {@link definePrompt} takes: what the fields and the body of a Markdown prompt say. */
export interface PromptDefinition {
  readonly name: string;
  readonly template: string;
  readonly title?: string;
  readonly description?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly systemPrompt?: string;
  readonly input?: JsonSchema;
  readonly output?: JsonSchema;
  readonly tools?: readonly string[];
  readonly thinking?: boolean;
  readonly thinkingBudget?: number;
  readonly maxTokens?: number;
}

/**
 * Makes a prompt of a template without a file.
 * @throws ToolkitError `INVALID_PROMPT`, with the lines of the template.
 */
export function definePrompt(definition: PromptDefinition): MarkdownPrompt {
  if (typeof definition?.template !== 'string') {
    const message = 'definePrompt needs { name, template }, the template a text';
    throw new ToolkitError('INVALID_PROMPT', message, { issues: [{ line: 1, message }] });
  }
  const { template, systemPrompt, thinkingBudget, maxTokens, ...same } = definition;
  const fields = Object.entries({
    ...same,
    system_prompt: systemPrompt,
    thinking_budget: thinkingBudget,
    max_tokens: maxTokens,
  }).filter(([, value]) => value !== undefined);
  const built = buildPrompt({
    fields: Object.fromEntries(fields),
    body: template,
    bodyLine: 1,
    fallbackName: '',
    lineOf: () => 1,
  });
  if ('render' in built) return built;
  const messages = built.map(({ message }) => message).join('; ');
  throw new ToolkitError('INVALID_PROMPT', `the prompt ${definition.name} can't be used: ${messages}`, {
    issues: built,
  });
}
