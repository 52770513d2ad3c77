import type { Prompt, Resource } from '@haft/core';
import type { CompletionRequest } from '../../library/create-library.ts';
import type { LogLevel } from './server-message.ts';
import type { RemoteSkill } from '../../skills/remote-skill.ts';

/** A resource template of a server. */
export interface RemoteResourceTemplate {
  /** An RFC 6570 template. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  readonly type: string;
}

/** The resources, prompts and skills of a server. Methods reject with the error that the server returns. */
export interface RemoteLibrary {
  /** Lists all resources, each with a `read` method. */
  resources(signal?: AbortSignal): Promise<readonly Resource[]>;
  templates(signal?: AbortSignal): Promise<readonly RemoteResourceTemplate[]>;
  /** Reads a URI, listed or not. A directory may return several resources. */
  read(uri: string, signal?: AbortSignal): Promise<readonly Resource[]>;
  /** Subscribes to `resource-updated` events of a URI, across restarts. Resolves to a function that unsubscribes. */
  subscribe(uri: string): Promise<() => Promise<void>>;
  /** Lists all prompts. Prepared messages are cleaned but not fenced, because the user chooses prompts. */
  prompts(signal?: AbortSignal): Promise<readonly Prompt[]>;
  /** Lists skills without fetching their files. Files are checked against the listing when they are read. */
  skills(signal?: AbortSignal): Promise<readonly RemoteSkill[]>;
  /** Completes a partly typed value of a prompt or template variable. */
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<readonly string[]>;
  /** Sets the minimum level of the server's log messages. */
  setLogLevel(level: LogLevel): Promise<void>;
}
