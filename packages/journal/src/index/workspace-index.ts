import type { IgnoreRules } from '@haft/sandbox';
import { joinName } from '../path-names.ts';
import { absent, type EntryState, type FileState, type StateChange } from '../entry-state.ts';

/** File metadata that identifies a version without reading the content. */
export interface Signature {
  readonly inode: number;
  readonly size: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
}

export interface FileNode {
  readonly kind: 'file';
  state: FileState;
  /** Undefined if the file must be read again, because it may have changed within the clock tick of the last read. */
  signature: Signature | undefined;
}

export interface FolderNode {
  readonly kind: 'directory';
  mode: number;
  readonly children: Map<string, IndexNode>;
  /** True if all entries that are not ignored are known. Any other name is new. */
  isListed: boolean;
  /** Like {@link FileNode.signature}, for the list of entries. */
  signature: Signature | undefined;
  /** Ignore rules of the entries, the parent's rules, and the sources they were read from. */
  rules: IgnoreRules | undefined;
  parentRules: IgnoreRules | undefined;
  ruleNames: readonly string[];
  /** Undefined until the entries are listed for the first time. */
  ruleSources: string | undefined;
}

/** Known state of one entry. `absent` means that the entry is known to be missing. */
export type IndexNode =
  | FileNode
  | FolderNode
  | { readonly kind: 'link'; readonly state: EntryState & { readonly kind: 'link' } }
  | { readonly kind: 'other' }
  | { readonly kind: 'absent' };

export const absentNode: IndexNode = Object.freeze({ kind: 'absent' });
export const otherNode: IndexNode = Object.freeze({ kind: 'other' });

/** Creates a node for a folder. The entries of a new folder are known: it was empty. */
export function createFolderNode(mode: number, isNew: boolean): FolderNode {
  return {
    kind: 'directory',
    mode,
    children: new Map(),
    isListed: isNew,
    signature: undefined,
    rules: undefined,
    parentRules: undefined,
    ruleNames: [],
    ruleSources: undefined,
  };
}

export function stateOf(node: IndexNode | undefined): EntryState {
  if (node === undefined || node.kind === 'absent') return absent;
  if (node.kind === 'directory') return { kind: 'directory', mode: node.mode };
  return node.kind === 'other' ? node : node.state;
}

/** Lists all known entries below a folder as removed. */
export function listRemoved(path: string, folder: FolderNode): StateChange[] {
  const changes: StateChange[] = [];
  const pending: (readonly [string, FolderNode])[] = [[path, folder]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [at, { children }] = next;
    for (const [name, child] of children) {
      if (child.kind === 'absent') continue;
      const below = joinName(at, name);
      changes.push({ path: below, before: stateOf(child), after: absent });
      if (child.kind === 'directory') pending.push([below, child]);
    }
  }
  return changes;
}

/** Marks a folder and all its subfolders as incomplete, because entries found later may have existed before. */
export function forgetList(folder: FolderNode): void {
  folder.isListed = false;
  folder.signature = undefined;
  for (const child of folder.children.values()) if (child.kind === 'directory') forgetList(child);
}

/** Yields the hash of every indexed content. */
export function* listHashes(folder: FolderNode): Generator<string> {
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const child of next.children.values()) {
      if (child.kind === 'directory') pending.push(child);
      else if (child.kind === 'file' && child.state.hash !== undefined) yield child.state.hash;
    }
  }
}
