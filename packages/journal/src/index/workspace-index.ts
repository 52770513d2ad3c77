import type { IgnoreRules } from '@haft/sandbox';
import { joinName } from '../path-names.ts';
import { absent, type EntryState, type FileState, type StateChange } from '../entry-state.ts';

/** What the system says of an entry, by which it is known to be the same without being read. */
export interface Signature {
  readonly inode: number;
  readonly size: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
}

export interface FileNode {
  readonly kind: 'file';
  state: FileState;
  /** Undefined when it has to be read again: it could have changed within the tick of the clock in which it was read. */
  signature: Signature | undefined;
}

export interface FolderNode {
  readonly kind: 'directory';
  mode: number;
  readonly children: Map<string, IndexNode>;
  /** All of its entries that are not ignored are known: another name is a new one. */
  isListed: boolean;
  /** As {@link FileNode.signature}, of the list of entries. */
  signature: Signature | undefined;
  /** The ignore rules for its entries, those that they continue, and what they were read from. */
  rules: IgnoreRules | undefined;
  parentRules: IgnoreRules | undefined;
  ruleNames: readonly string[];
  /** Undefined as long as its entries have never been listed. */
  ruleSources: string | undefined;
}

/** What is known of one entry: also that there is none. */
export type IndexNode =
  | FileNode
  | FolderNode
  | { readonly kind: 'link'; readonly state: EntryState & { readonly kind: 'link' } }
  | { readonly kind: 'other' }
  | { readonly kind: 'absent' };

export const absentNode: IndexNode = Object.freeze({ kind: 'absent' });
export const otherNode: IndexNode = Object.freeze({ kind: 'other' });

/** A folder of which nothing is known, or, when it has just been made, of which everything is: that it was empty. */
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

/** Everything known below a folder, as if it had been removed. */
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

/** Makes a folder, and all below it, one of which not everything is known: what is found there from now on may be old. */
export function forgetList(folder: FolderNode): void {
  folder.isListed = false;
  folder.signature = undefined;
  for (const child of folder.children.values()) if (child.kind === 'directory') forgetList(child);
}

/** Everything whose content the index knows by its hash. */
export function* listHashes(folder: FolderNode): Generator<string> {
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const child of next.children.values()) {
      if (child.kind === 'directory') pending.push(child);
      else if (child.kind === 'file' && child.state.hash !== undefined) yield child.state.hash;
    }
  }
}
