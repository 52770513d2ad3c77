import { join } from 'node:path';
import { hashContent, writeConfinedFile } from '@haft/sandbox';

/** Keeps what a command writes, up to a limit, so that what an answer leaves out can be read later. */
export interface OutputKeeper {
  push(text: string): void;
  /** Writes what was kept to a file of its own; undefined when there is no place for it. */
  save(callId: string): Promise<{ readonly path: string; readonly isWhole: boolean } | undefined>;
}

const mostCharacters = 8_000_000;

/** Makes a keeper that writes into `folder`; without one it keeps nothing. */
export function createOutputKeeper(folder: string | undefined): OutputKeeper {
  const pieces: string[] = [];
  let characters = 0;
  let isWhole = true;
  return {
    push(text) {
      if (folder === undefined || !isWhole) return;
      isWhole = characters + text.length <= mostCharacters;
      pieces.push(isWhole ? text : text.slice(0, mostCharacters - characters));
      characters += text.length;
    },
    async save(callId) {
      if (folder === undefined) return undefined;
      const content = pieces.join('');
      // Call ids come from models and may be anything; a hash is always a file name.
      const path = join(folder, `bash-${hashContent(`${callId}\0${content}`).slice(0, 16)}.txt`);
      const written = await writeConfinedFile([folder], path, Buffer.from(content, 'utf8'));
      return written.ok ? { path: written.path, isWhole } : undefined;
    },
  };
}
