import type { RemoteToolPlan } from './plan-remote-tool.ts';

/** What a server says of a tool, freed of what is hidden, as a model would be told. */
export interface ToolText {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
}

/** A tool that a server describes in another way than when it was trusted. */
export interface ToolChange {
  /** Name of the tool here. */
  readonly tool: string;
  /** The server's own name of it. */
  readonly remoteName: string;
  /** What differs; `name` when another of the server's tools now has the name. */
  readonly fields: readonly ('name' | keyof ToolText)[];
  readonly before: ToolText;
  readonly after: ToolText;
}

const fields = ['title', 'description', 'inputSchema', 'outputSchema'] as const;

/** Sets what a server says now beside what it said when the tool was trusted. */
export function describeChange(tool: string, before: RemoteToolPlan, after: RemoteToolPlan): ToolChange {
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return {
    tool,
    remoteName: after.remoteName,
    fields: before.remoteName === after.remoteName ? changed : ['name', ...changed],
    before: textOf(before),
    after: textOf(after),
  };
}

function textOf({ title, description, inputSchema, outputSchema }: RemoteToolPlan): ToolText {
  return { title, description, inputSchema, outputSchema };
}
