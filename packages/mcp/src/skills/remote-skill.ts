/** A skill of a server. Files are fetched only when they are read. */
export interface RemoteSkill {
  readonly name: string;
  /** When to use the skill: untrusted text from the server, without hidden characters. */
  readonly description: string;
  /** URI of its `SKILL.md`. */
  readonly uri: string;
  /** Its files with sizes in bytes; empty if the server does not list them. */
  readonly files: readonly { readonly uri: string; readonly size: number }[];
  /**
   * Reads a file by a path such as `references/forms.md` or by its URI. Default: its `SKILL.md` without front matter.
   * Rejects if the file is not listed, or differs from the listing in size, digest or front matter.
   */
  read(path?: string, signal?: AbortSignal): Promise<Uint8Array | string>;
}
