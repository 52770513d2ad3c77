import { findNearestNames, type PromptVariable } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { compileSchema, type CompiledSchema, type JsonSchema } from '@haft/schema';
import { checkItemName } from '../namespaces.ts';
import type { PromptIssue } from '../toolkit-error.ts';
import type { AgentPrompt } from './agent-prompt.ts';
import { attachResources } from './prompt-attachments.ts';
import { parseTemplate, type Template } from './template/parse-template.ts';
import { TemplateProblem } from './template/template-problem.ts';

/** A prompt parsed from Markdown. */
export interface MarkdownPrompt extends AgentPrompt {
  readonly title: string;
  /** The template source. */
  readonly template: string;
  /** Renders the template with the variables. Throws a `RangeError` if the output exceeds a million characters. */
  render(variables: unknown): string;
}

/** The parts of a prompt. */
export interface PromptParts {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly bodyLine: number;
  /** The name of the prompt if the front matter has no name. */
  readonly fallbackName: string;
  lineOf(field: string): number;
}

const checks = {
  name: isText,
  title: isText,
  description: isText,
  model: isText,
  provider: isText,
  system_prompt: isText,
  input: isSchema,
  output: isSchema,
  // Alias of `output`.
  format: isSchema,
  tools: isNames,
  thinking: isFlag,
  thinking_budget: isCount,
  max_tokens: isCount,
} as const satisfies Readonly<Record<string, (value: unknown) => string | undefined>>;

/** Builds a prompt from its parts, or returns all issues. */
export function buildPrompt(parts: PromptParts): MarkdownPrompt | readonly PromptIssue[] {
  const { fields, body, bodyLine } = parts;
  const issues: PromptIssue[] = [];
  const blame = (field: string, message: string): void => void issues.push({ line: parts.lineOf(field), message });
  for (const [field, value] of Object.entries(fields)) {
    if (!Object.hasOwn(checks, field)) {
      const near = findNearestNames(field, Object.keys(checks), 1)[0];
      blame(field, `unknown field ${field.slice(0, 60)}${near ? `; did you mean ${near}?` : ''}`);
    } else if (value !== null) {
      const expected = checks[field as keyof typeof checks](value);
      if (expected !== undefined) blame(field, `${field} must be ${expected}`);
    }
  }
  const given = fields as Readonly<Partial<Record<keyof typeof checks, never>>>;
  const name: string = given.name ?? parts.fallbackName;
  try {
    if (name === '') throw new RangeError('the prompt has no name: add the field name, such as "name: summarize"');
    checkItemName('prompt', name);
  } catch (error) {
    blame('name', describeCause(error));
  }
  const schemaOf = (field: 'input' | 'output' | 'format'): CompiledSchema | undefined => {
    const schema: JsonSchema | undefined = given[field] ?? undefined;
    if (schema === undefined || isSchema(schema) !== undefined) return undefined;
    try {
      return compileSchema(schema);
    } catch (error) {
      blame(field, `${field} is not a usable schema: ${describeCause(error)}`);
      return undefined;
    }
  };
  const input = schemaOf('input');
  const output = schemaOf('output') ?? schemaOf('format');
  const template = readTemplate(body, bodyLine, issues);
  if (issues.length > 0) return issues.toSorted((a, b) => a.line - b.line);
  const render = (variables: unknown): string => template.render(variables).trim();
  return {
    name,
    title: given.title ?? headingOf(body) ?? name,
    variables: input ? variablesOf(input) : template.names.map((named) => ({ name: named, required: false })),
    template: body,
    ...picked({
      description: given.description,
      model: given.model,
      provider: given.provider,
      systemPrompt: given.system_prompt,
      input,
      output,
      tools: asList(given.tools),
      thinking: given.thinking,
      thinkingBudget: given.thinking_budget,
      maxOutputTokens: given.max_tokens,
    }),
    render,
    prepare: (variables, resources) => attachResources(render(variables), resources),
  };
}

function readTemplate(body: string, bodyLine: number, issues: PromptIssue[]): Template {
  try {
    if (body.trim() === '') issues.push({ line: bodyLine, message: 'the template is empty' });
    return parseTemplate(body);
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    issues.push({ line: bodyLine + error.line - 1, column: error.column, message: error.message });
    return { render: () => '', names: [] };
  }
}

function headingOf(body: string): string | undefined {
  return /^#[ \t]+([^\n{]*[^\s#{])[ \t#]*$/m.exec(body)?.[1];
}

function variablesOf(input: CompiledSchema): readonly PromptVariable[] {
  const schema = input.jsonSchema;
  if (typeof schema !== 'object' || schema.properties === undefined) return [];
  const required = schema.required ?? [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    ...(typeof property === 'object' &&
      typeof property.description === 'string' && { description: property.description }),
    required: required.includes(name),
  }));
}

/** Removes undefined fields. */
function picked<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as never;
}

function asList(tools: readonly string[] | string | undefined): readonly string[] | undefined {
  return typeof tools === 'string' ? [tools] : (tools ?? undefined);
}

function isText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? undefined : 'a text';
}

function isFlag(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'true or false';
}

function isCount(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'a whole number above 0';
}

function isSchema(value: unknown): string | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject || typeof value === 'boolean' ? undefined : 'a JSON Schema, such as {type: string}';
}

function isNames(value: unknown): string | undefined {
  const isRight =
    typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
  return isRight ? undefined : 'an array of tool names, such as [read, grep]';
}
