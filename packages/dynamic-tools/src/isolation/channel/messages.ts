import type { PlainData } from '../../copy-data.ts';
import type { PluginCapabilities } from '../../capabilities.ts';
import type { HookName } from '@haft/core/hooks';
import type { ToolMethod } from '../../plugin/definition/take-defined-tool.ts';
import type { ThrownText } from '../../thrown-text.ts';

/** The file descriptor of the stream between a host and a plugin's process, after the three standard streams. */
export const channelDescriptor = 3;

/** Maximum size of a message to a child process, which may contain arguments and contents of any kind. */
export const maxHostMessageBytes: number = 16 * 1024 * 1024;

/** Maximum size of a message to the host: an image of 5 MB in base64, the largest that models accept, and some room. */
export const maxChildMessageBytes: number = 8 * 1024 * 1024;

/** A plugin's tool as described by its process: its data, and the names of its methods. */
export interface WireTool {
  readonly data: Readonly<Record<string, PlainData>>;
  readonly methods: readonly ToolMethod[];
  readonly input: PlainData;
  readonly output: PlainData;
  readonly unknown: readonly string[];
}

/** A prompt or a resource as described by its process. */
export type WirePart = Readonly<Record<string, PlainData>>;

/** Hooks as described by their process. */
export interface WireHooks {
  readonly data: WirePart;
  readonly methods: readonly HookName[];
}

/** The callable parts of a plugin other than the methods of its tools. */
export type WireTarget =
  | { readonly part: 'prompts' | 'resources'; readonly index: number }
  | { readonly part: 'hooks'; readonly name: HookName };

/** A plugin as described by its process. */
export interface WirePlugin {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly capabilities?: PluginCapabilities;
  readonly tools: readonly WireTool[];
  readonly prompts?: readonly WirePart[];
  readonly resources?: readonly WirePart[];
  readonly hooks?: WireHooks;
}

/** Context of a call as sent to the plugin process. */
export interface WireContext {
  readonly cwd: string;
  readonly writeRoots: readonly string[] | 'unrestricted';
  readonly deadline: number;
  readonly callId: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  readonly modelName: string;
}

/**
 * The methods of a tool that its process can run. Other methods must return immediately, so they can't run in another
 * process.
 */
export type RemoteMethod = Extract<ToolMethod, 'execute' | 'check' | 'available'>;

/** A message from the host to the plugin. */
export type HostMessage =
  | {
      readonly t: 'load';
      readonly id: string;
      readonly entry: string;
      readonly hostPackages: readonly string[];
      /** Files of the program, whose locations determine where packages are found that the plugin does not contain. */
      readonly bases: readonly string[];
      /** Whether the network was granted. */
      readonly hasNetwork: boolean;
      /** JavaScript already stripped from TypeScript, by file path. */
      readonly stripped?: Readonly<Record<string, string>>;
    }
  | {
      readonly t: 'call';
      readonly id: number;
      readonly tool: number;
      readonly method: RemoteMethod;
      readonly args?: unknown;
      readonly context?: WireContext;
    }
  /** Prepares a prompt, reads a resource, or asks a hook. */
  | { readonly t: 'run'; readonly id: number; readonly target: WireTarget; readonly given: readonly unknown[] }
  /** Notifies the tool of a failure; expects no answer. */
  | { readonly t: 'failure'; readonly tool: number; readonly result: unknown; readonly args: unknown }
  | { readonly t: 'cancel'; readonly id: number; readonly name: string; readonly message: string }
  | { readonly t: 'decision'; readonly ask: number; readonly decision?: unknown; readonly error?: string }
  /** Requests a response, as a sign of life. */
  | { readonly t: 'ping'; readonly nonce: string }
  /** Announces that a plugin will probably be loaded soon. */
  | { readonly t: 'warm' }
  | { readonly t: 'dispose' };

/** A message from the plugin to the host. It is untrusted, because the plugin's code runs in the sending process. */
export type PluginMessage =
  | { readonly t: 'files'; readonly files: readonly string[] }
  | { readonly t: 'described'; readonly plugin: WirePlugin }
  | {
      readonly t: 'failed';
      readonly phase: 'import' | 'validate' | 'setup';
      readonly message?: string;
      readonly thrown?: ThrownText;
    }
  | { readonly t: 'result'; readonly id: number; readonly value?: unknown }
  | { readonly t: 'invalid'; readonly id: number; readonly issues: unknown }
  | {
      readonly t: 'threw';
      readonly id: number;
      readonly message: string;
      readonly stack?: string;
      readonly error?: unknown;
    }
  | { readonly t: 'progress'; readonly id: number; readonly update: unknown }
  | { readonly t: 'log'; readonly level: string; readonly message: string; readonly data?: unknown }
  | { readonly t: 'ask'; readonly id: number; readonly ask: number; readonly target: unknown }
  | { readonly t: 'pong'; readonly nonce: string }
  | { readonly t: 'disposed'; readonly problem?: string };
