/** A template: a folder of the package. */
export interface Template {
  readonly name: TemplateName;
  /** One line for the list of templates. */
  readonly summary: string;
  /** The script to try first. */
  readonly firstScript: string;
  /** The skills for coding agents that the project gets. */
  readonly skills: readonly string[];
}

export type TemplateName = 'agent' | 'mcp-server' | 'plugin' | 'ai-sdk' | 'next-chat';

/** The templates, the default first. */
export const templates: readonly Template[] = [
  {
    name: 'agent',
    summary: 'an agent that works in a folder and asks before it changes something; any model',
    firstScript: 'start',
    skills: ['use-haft-tools'],
  },
  {
    name: 'mcp-server',
    summary: 'an MCP server with your own tools, for Claude, Cursor, VS Code and other clients',
    firstScript: 'try',
    skills: ['serve-haft-mcp', 'use-haft-tools'],
  },
  {
    name: 'plugin',
    summary: 'a plugin: tools that a running program loads, and reloads when you save them',
    firstScript: 'try',
    skills: ['write-haft-plugin'],
  },
  {
    name: 'ai-sdk',
    summary: 'a program with the Vercel AI SDK whose tools run through Haft',
    firstScript: 'start',
    skills: ['use-haft-tools'],
  },
  {
    name: 'next-chat',
    summary: 'a chat page with Next.js, the AI SDK and tools that run through Haft',
    firstScript: 'dev',
    skills: ['use-haft-tools'],
  },
];

export function findTemplate(name: string): Template | undefined {
  return templates.find((template) => template.name === name);
}
