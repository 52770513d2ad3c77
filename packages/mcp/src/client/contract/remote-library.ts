import type { Prompt, Resource } from '@haft/core';
import type { CompletionRequest } from '../../library/served-library.ts';
import type { LogLevel } from './server-message.ts';
import { type RemoteSkill } from '../../skills/remote-skills.ts';

/** Resources that a server makes of variables. */
export interface RemoteResourceTemplate {
  /** As RFC 6570 writes it. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  readonly type: string;
}

/** What a server has besides tools. Everything rejects with what the server said when it refuses. */
export interface RemoteLibrary {
  /** All pages of its resources; each can be read. */
  resources(signal?: AbortSignal): Promise<readonly Resource[]>;
  templates(signal?: AbortSignal): Promise<readonly RemoteResourceTemplate[]>;
  /** What is at an address, listed or not; several where it is a folder. */
  read(uri: string, signal?: AbortSignal): Promise<readonly Resource[]>;
  /** Asks for `resource-updated` events of an address, also of a server that is brought back; resolves to how to stop. */
  subscribe(uri: string): Promise<() => Promise<void>>;
  /** All pages of its prompts. What they prepare is cleaned, and a person's to choose: it stands between no marks. */
  prompts(signal?: AbortSignal): Promise<readonly Prompt[]>;
  /** Its skills, of which nothing is fetched before it is read; what is read is held against what was listed. */
  skills(signal?: AbortSignal): Promise<readonly RemoteSkill[]>;
  /** Values for a variable of a prompt or a template that is half typed. */
  complete(question: CompletionRequest, signal?: AbortSignal): Promise<readonly string[]>;
  /** From which level on the server tells its log. */
  setLogLevel(level: LogLevel): Promise<void>;
}
