/** A text, and whether it comes from an MCP server. */
export interface ServerText {
  readonly text: string;
  readonly isUntrusted: boolean;
}

/** Takes a description out of the fence that marks text of an MCP server for models. */
export function withoutFence(description: string): ServerText {
  const fenced = /^\[text of [^\]]*, untrusted\]\s*<(untrusted-\w+)>([\s\S]*)<\/\1>\s*$/.exec(description)?.[2];
  return { text: (fenced ?? description).trim(), isUntrusted: fenced !== undefined };
}
