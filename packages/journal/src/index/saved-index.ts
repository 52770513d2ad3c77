import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../log/journal-log.ts';
import { namesBelow } from '../path-names.ts';
import type { EntryState, FileState, StateChange } from '../entry-state.ts';
import type { WatchedRoot } from './workspace-scan.ts';
import {
  absentNode,
  createFolderNode,
  otherNode,
  stateOf,
  type FolderNode,
  type IndexNode,
  type Signature,
} from './workspace-index.ts';

/** The stored index of each root. */
export interface SavedIndex {
  /** Sequence number of the last log record that the index includes. */
  readonly sequence: number;
  readonly roots: ReadonlyMap<string, FolderNode>;
}

type SavedSignature = readonly [inode: number, size: number, modifiedMs: number, changedMs: number] | 0;
type SavedNode =
  | readonly ['f', FileState, SavedSignature]
  | readonly [
      'd',
      number,
      0 | 1,
      SavedSignature,
      string | null,
      readonly string[],
      readonly (readonly [string, SavedNode])[],
    ]
  | readonly ['l', string]
  | readonly ['o']
  | readonly ['a'];

interface SavedFile {
  readonly version: 1;
  readonly sequence: number;
  readonly roots: readonly (readonly [path: string, node: SavedNode])[];
}

/** Saves the index so that a restart does not read every file again. */
export function saveIndex(folder: string, roots: readonly WatchedRoot[], sequence: number): void {
  const path = join(folder, 'index.json');
  const saved: SavedFile = { version: 1, sequence, roots: roots.map(({ path: at, node }) => [at, save(node)]) };
  writeFileSync(`${path}.new`, JSON.stringify(saved), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Loads the index. A missing or damaged index is empty and only costs time. */
export function loadIndex(folder: string): SavedIndex {
  try {
    const saved = JSON.parse(readRegular(join(folder, 'index.json')).toString('utf8')) as SavedFile;
    if (saved.version !== 1) return nothing;
    const roots = saved.roots.map(([path, node]) => [path, load(node)] as const);
    return {
      sequence: saved.sequence,
      roots: new Map(roots.flatMap(([path, node]) => (node.kind === 'directory' ? [[path, node] as const] : []))),
    };
  } catch {
    return nothing;
  }
}

const nothing: SavedIndex = { sequence: 0, roots: new Map() };

/** Applies a change from the log that the saved index lacks. The entry is read again before it is trusted. */
export function applyChange(root: WatchedRoot, { path, after }: StateChange): void {
  const names = namesBelow(path, root.path);
  const last = names.at(-1);
  if (last === undefined) return;
  let node = root.node;
  for (const name of names.slice(0, -1)) {
    const child = node.children.get(name);
    if (child?.kind !== 'directory') return;
    node = child;
  }
  node.signature = undefined;
  const known = node.children.get(last);
  node.children.set(
    last,
    known?.kind === 'directory' && after.kind === 'directory' ? { ...known, mode: after.mode } : toNode(after),
  );
}

function toNode(state: EntryState): IndexNode {
  if (state.kind === 'file') return { kind: 'file', state, signature: undefined };
  if (state.kind === 'directory') return createFolderNode(state.mode, true);
  if (state.kind === 'link') return { kind: 'link', state };
  return state.kind === 'other' ? otherNode : absentNode;
}

function save(node: IndexNode): SavedNode {
  if (node.kind === 'file') return ['f', node.state, saveSignature(node.signature)];
  if (node.kind === 'link') return ['l', node.state.target];
  if (node.kind === 'absent') return ['a'];
  if (node.kind === 'other') return ['o'];
  const children = [...node.children].map(([name, child]) => [name, save(child)] as const);
  const { mode, isListed, signature, ruleSources, ruleNames } = node;
  return ['d', mode, isListed ? 1 : 0, saveSignature(signature), ruleSources ?? null, ruleNames, children];
}

function load(saved: SavedNode): IndexNode {
  if (saved[0] === 'f') return { kind: 'file', state: saved[1], signature: loadSignature(saved[2]) };
  if (saved[0] === 'l') return { kind: 'link', state: { kind: 'link', target: saved[1] } };
  if (saved[0] === 'a') return absentNode;
  if (saved[0] === 'o') return otherNode;
  const [, mode, isListed, signature, ruleSources, ruleNames, children] = saved;
  return {
    kind: 'directory',
    mode,
    children: new Map(children.map(([name, child]) => [name, load(child)])),
    isListed: isListed === 1,
    signature: loadSignature(signature),
    rules: undefined,
    parentRules: undefined,
    ruleNames,
    ruleSources: ruleSources ?? undefined,
  };
}

function saveSignature(signature: Signature | undefined): SavedSignature {
  return signature === undefined ? 0 : [signature.inode, signature.size, signature.modifiedMs, signature.changedMs];
}

function loadSignature(saved: SavedSignature): Signature | undefined {
  if (saved === 0) return undefined;
  const [inode, size, modifiedMs, changedMs] = saved;
  return { inode, size, modifiedMs, changedMs };
}

/** Returns the known state of a path. */
export function findState(root: WatchedRoot, path: string): EntryState {
  let node: IndexNode | undefined = root.node;
  for (const name of namesBelow(path, root.path))
    node = node?.kind === 'directory' ? node.children.get(name) : undefined;
  return stateOf(node);
}
