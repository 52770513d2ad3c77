import type { PluginCapabilities } from '../capabilities.ts';
import type { PlainData } from '../copy-data.ts';

/** A tool as its author describes it, before it is written to files. */
export interface ToolDraft {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. Its type must be an object. */
  readonly input: JsonSchema;
  /** JSON Schema of the result. Without it, the result may have any type. */
  readonly output?: JsonSchema;
  /** Statements of an async TypeScript function with the parameters `args` and `context`. */
  readonly body: string;
  readonly imports: readonly ToolImport[];
  readonly examples: readonly ToolExample[];
  /** The capabilities that the tool needs. */
  readonly capabilities: PluginCapabilities;
}

/** A JSON Schema as data. */
export type JsonSchema = Readonly<Record<string, PlainData>>;

/** The imports from one module. */
export interface ToolImport {
  /** The name of the module, such as `node:path`. */
  readonly from: string;
  /** Named exports to import. */
  readonly names?: readonly string[];
  /** The name of a namespace import. */
  readonly as?: string;
}

/** A test call and its expected result. */
export interface ToolExample {
  readonly arguments: PlainData;
  /** The exact expected result. Without it, any successful result passes. */
  readonly expected?: PlainData;
}

/** File contents by path, relative to the tool's folder. */
export type ToolFiles = Readonly<Record<string, string>>;
