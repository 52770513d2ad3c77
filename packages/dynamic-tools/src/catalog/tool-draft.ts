import type { PluginCapabilities } from '../capabilities.ts';
import type { PlainData } from '../copy-data.ts';

/** A tool as its author describes it, before any of it has become a file. */
export interface ToolDraft {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly input: JsonSchema;
  /** JSON Schema of the answer; without it any. */
  readonly output?: JsonSchema;
  /** Statements of an async TypeScript function of `args` and `context`. */
  readonly body: string;
  readonly imports: readonly ToolImport[];
  readonly examples: readonly ToolExample[];
  /** What it needs beyond computing. */
  readonly capabilities: PluginCapabilities;
}

/** A JSON Schema as data. */
export type JsonSchema = Readonly<Record<string, PlainData>>;

/** What a body uses of a module. */
export interface ToolImport {
  /** `node:path`. */
  readonly from: string;
  /** Named exports. */
  readonly names?: readonly string[];
  /** A name for the module as a whole. */
  readonly as?: string;
}

/** A call, and what has to come of it. */
export interface ToolExample {
  readonly arguments: PlainData;
  /** The answer, exactly. Without it the call has to succeed, whatever it answers. */
  readonly expected?: PlainData;
}

/** Texts by path, relative to the tool's folder. */
export type ToolFiles = Readonly<Record<string, string>>;
