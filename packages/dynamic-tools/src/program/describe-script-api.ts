import type { AnyTool } from '@haft/core';
import { createToolIndex } from '@haft/core/search';
import type { PlainData } from '../copy-data.ts';
import { typeOfSchema } from '../generated/folder/written-schema-type.ts';

const identifier = /^[A-Za-z_$][\w$]*$/;
const maxQueries = 200;
const maxNames = 300;
const maxFound = 10;

/** Whether the tool's description is untrusted, such as that of a server. It is then shown only inside a fence. */
export type IsForeign = (name: string) => boolean;

/** Declares tools in TypeScript, as functions for a script. */
export function declareTools(tools: readonly AnyTool[], isForeign: IsForeign): string {
  return `type Answer = any; // text, or the value if the tool answers with JSON\ndeclare const tools: {\n${tools.map((tool) => declareTool(tool, isForeign(tool.name))).join('\n')}\n};`;
}

function declareTool({ name, description, input, output }: AnyTool, isForeign: boolean): string {
  const args = typeOfSchema(input.jsonSchema as PlainData, { isBrief: true });
  const answer = output === undefined ? 'Answer' : typeOfSchema(output.jsonSchema as PlainData, { isBrief: true });
  const isOptional = !Array.isArray((input.jsonSchema as { readonly required?: unknown }).required);
  const words = isForeign ? '' : firstSentence(description);
  const head = words === '' ? '' : `  /** ${words} */\n`;
  return `${head}  ${identifier.test(name) ? name : JSON.stringify(name)}(args${isOptional ? '?' : ''}: ${args}): Promise<${answer}>;`;
}

function firstSentence(description: string): string {
  const line = description.replace(/\s+/g, ' ').replaceAll('*/', '* /').trim();
  const end = /[.!?](?= [A-Z])/.exec(line)?.index;
  const sentence = end === undefined ? line : line.slice(0, end + 1);
  return sentence.length <= maxQueries ? sentence : `${sentence.slice(0, maxQueries)}…`;
}

/** Describes the tools that a script may call: with their declarations or, if these are too long, with their names. */
export function listApi(tools: readonly AnyTool[], isForeign: IsForeign, maxCharacters: number): string {
  const declared = declareTools(tools, isForeign);
  if (declared.length <= maxCharacters) return declared;
  const names = tools.slice(0, maxNames).map(({ name }) => name);
  const more = tools.length > names.length ? `, and ${tools.length - names.length} more` : '';
  return (
    `There are ${tools.length} tools to call: ${names.join(', ')}${more}. ` +
    'Before you write a script, pass describe with names or words to get the declarations of those tools.'
  );
}

/** Returns the requested tools: for each query the tool with that name, or else the tools that match its words best. */
export function findTools(tools: readonly AnyTool[], queries: readonly string[]): readonly AnyTool[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let index: ReturnType<typeof createToolIndex> | undefined;
  const found = new Set<AnyTool>();
  for (const wish of queries) {
    const named = byName.get(wish);
    if (named) found.add(named);
    else for (const { tool } of (index ??= createToolIndex(tools)).search(wish, maxFound)) found.add(tool);
  }
  return [...found];
}
