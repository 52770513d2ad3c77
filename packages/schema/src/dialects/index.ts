import { anthropicStrict } from './providers/anthropic-strict.ts';
import { anthropic } from './providers/anthropic.ts';
import type { Dialect } from './definition/dialect.ts';
import { draft07 } from './providers/draft-07.ts';
import { geminiOpenApi } from './providers/gemini-openapi.ts';
import { gemini } from './providers/gemini.ts';
import { jsonSchema202012 } from './providers/json-schema-2020-12.ts';
import { mistral } from './providers/mistral.ts';
import { openaiStrict } from './providers/openai-strict.ts';
import { openai } from './providers/openai.ts';

/** The names of all dialects. */
export type DialectName =
  | 'openai-strict'
  | 'openai'
  | 'anthropic-strict'
  | 'anthropic'
  | 'gemini'
  | 'gemini-openapi'
  | 'mistral'
  | 'json-schema-2020-12'
  | 'draft-07';

/** All dialects by name. To add one, add a file, a line here and its name above. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  'openai-strict': openaiStrict,
  openai,
  'anthropic-strict': anthropicStrict,
  anthropic,
  gemini,
  'gemini-openapi': geminiOpenApi,
  mistral,
  'json-schema-2020-12': jsonSchema202012,
  'draft-07': draft07,
};
