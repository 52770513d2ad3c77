import type { AnyTool } from '../contracts/tools/tool.ts';
import { matchesGlob } from '../names/matches-glob.ts';
import { findNearestNames } from '../names/nearest-names.ts';

/** A model, for matching it against `supportedModels`. */
export interface ModelIdentity {
  readonly name: string;
  readonly vendor?: string;
}

/**
 * Checks whether a tool supports a model. Without a list, it supports every model. Globs match `vendor/name`, the name
 * or the vendor. A name such as `anthropic/claude-opus`, as routers use it, also counts by its parts.
 */
export function supportsModel(tool: AnyTool, model: ModelIdentity): boolean {
  if (tool.supportedModels === undefined) return true;
  const { name, vendor } = model;
  const names = [name];
  if (vendor !== undefined) names.push(vendor, `${vendor}/${name}`);
  const slash = name.lastIndexOf('/');
  if (slash > 0) names.push(name.slice(0, slash), name.slice(slash + 1));
  return tool.supportedModels.some((glob) => names.some((each) => matchesGlob(glob, each)));
}

/** Vendors and model families that most programs use. A pattern for another vendor may still be correct. */
const knownNames: readonly string[] = (
  'alibaba amazon anthropic azure bedrock cerebras cohere deepseek fireworks google groq huggingface lmstudio meta ' +
  'microsoft mistral moonshot nvidia ollama openai openrouter perplexity qwen together vercel vertex vllm xai zhipu ' +
  'claude command gemini gemma glm gpt grok kimi llama nova o1 o3 o4 phi'
).split(' ');

/**
 * Describes the patterns of a tool that match neither the model nor a known vendor or model family, and so are probably
 * misspelled. Returns undefined if all patterns match.
 *
 * @example
 * import { defineTool } from '@haft/core';
 * import { findUnknownPatterns } from '@haft/core/registry';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * findUnknownPatterns(ping, { name: 'm-1' }); // => undefined
 */
export function findUnknownPatterns(tool: AnyTool, model: ModelIdentity): string | undefined {
  const strange = tool.supportedModels?.filter(
    (glob) => !supportsModel({ ...tool, supportedModels: [glob] }, model) && !isKnown(glob),
  );
  if (strange === undefined || strange.length === 0) return undefined;
  const described = strange.map((glob) => {
    const [nearest] = findNearestNames(glob.split(/[/*-]/, 1)[0] ?? glob, knownNames, 1);
    return `${JSON.stringify(glob)}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`;
  });
  return `supportedModels of ${tool.name}: no known vendor or model matches ${described.join(', ')}`;
}

/** Checks whether a pattern begins like a known name. A wildcard in place of the vendor is skipped. */
function isKnown(glob: string): boolean {
  const [first = '', second = ''] = glob.toLowerCase().split('/');
  const part = first.startsWith('*') ? second : first;
  return part === '' || part.startsWith('*') || knownNames.some((name) => part.startsWith(name));
}
