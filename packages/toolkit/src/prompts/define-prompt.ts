import { findNearestNames } from '@haft/core';
import type { JsonSchema } from '@haft/schema';
import { ToolkitError, type PromptIssue } from '../toolkit-error.ts';
import { buildPrompt, type MarkdownPrompt } from './build-prompt.ts';

/** Definition for {@link definePrompt}: the front matter fields and body of a Markdown prompt. */
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
  readonly maxOutputTokens?: number;
}

/**
 * Creates a prompt from a template, without a file.
 *
 * @throws ToolkitError `INVALID_PROMPT`, with the line numbers of the template.
 * @example
 * import { definePrompt } from '@haft/toolkit';
 * const prompt = definePrompt({ name: 'greet', template: 'Greet {{.name}}.' });
 * prompt.name; // => 'greet'
 */
export function definePrompt(definition: PromptDefinition): MarkdownPrompt {
  if (typeof definition?.template !== 'string') {
    const message = 'definePrompt requires { name, template }, both strings';
    throw new ToolkitError('INVALID_PROMPT', message, { issues: [{ line: 1, message }] });
  }
  checkMembers(definition);
  const { template, systemPrompt, thinkingBudget, maxOutputTokens, ...same } = definition;
  const fields = Object.entries({
    ...same,
    system_prompt: systemPrompt,
    thinking_budget: thinkingBudget,
    max_tokens: maxOutputTokens,
  }).filter(([, value]) => value !== undefined);
  const built = buildPrompt({
    fields: Object.fromEntries(fields),
    body: template,
    bodyLine: 1,
    fallbackName: '',
    lineOf: () => 1,
  });
  if ('render' in built) return built;
  throw invalid(
    definition.name,
    built.map((issue) => ({ ...issue, message: issue.message.replace(/^\w+/, (field) => spelt[field] ?? field) })),
  );
}

/** Maps front matter fields to the names of the definition. */
const spelt: Readonly<Record<string, string>> = {
  system_prompt: 'systemPrompt',
  thinking_budget: 'thinkingBudget',
  max_tokens: 'maxOutputTokens',
};
const members: readonly string[] = [
  'name',
  'template',
  'title',
  'description',
  'model',
  'provider',
  'systemPrompt',
  'input',
  'output',
  'tools',
  'thinking',
  'thinkingBudget',
  'maxOutputTokens',
];

/** Rejects unknown members. A misspelled member would otherwise be ignored silently. */
function checkMembers(definition: PromptDefinition): void {
  const issues = Object.entries(definition)
    .filter(([name, value]) => value !== undefined && !members.includes(name))
    .map(([name]) => {
      const near = Object.hasOwn(spelt, name) ? spelt[name] : findNearestNames(name, members, 1)[0];
      const instead = near === undefined ? `expected one of ${members.join(', ')}` : `did you mean ${near}?`;
      return { line: 1, message: `unknown member ${name.slice(0, 60)}; ${instead}` };
    });
  if (issues.length > 0) throw invalid(definition.name, issues);
}

function invalid(name: string | undefined, issues: readonly PromptIssue[]): ToolkitError {
  const messages = issues.map(({ message }) => message).join('; ');
  return new ToolkitError('INVALID_PROMPT', `the prompt ${name ?? 'without a name'} is not valid: ${messages}`, {
    issues,
  });
}
