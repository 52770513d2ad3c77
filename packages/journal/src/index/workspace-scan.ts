import {
  loadIgnoreRules,
  openConfinedDirectory,
  isIgnoreFile,
  type DirectoryHandle,
  type DirectoryEntry,
  type DirectoryEntryStatus,
  type IgnoreRules,
  type Roots,
} from '@haft/sandbox';
import { readFileState } from '../content/content-reader.ts';
import type { ContentStore } from '../content/content-store.ts';
import { isSameState, type StateChange } from '../entry-state.ts';
import { describeRuleSources } from './ignore-rule-sources.ts';
import { joinName, namesBelow } from '../path-names.ts';
import { isSameSignature, toSignature } from './file-signature.ts';
import { sliceScanTime } from './slice-scan-time.ts';
import {
  absentNode,
  createFolderNode,
  forgetList,
  listRemoved,
  otherNode,
  stateOf,
  type FolderNode,
  type IndexNode,
} from './workspace-index.ts';

/** A watched folder and its index. */
export interface WatchedRoot {
  /** Real absolute path. */
  readonly path: string;
  readonly node: FolderNode;
  /** False for the file system root: paths below it are scanned only by name. */
  readonly isWalked: boolean;
}

export interface ScanOptions {
  readonly roots: Roots;
  readonly contents: ContentStore;
  /** Larger files are identified by metadata alone. */
  readonly maxFileBytes: number;
  /** Excludes entries regardless of ignore files: the journal's own directory and those of the `ignore` option. */
  readonly isExcluded: (path: string, isDirectory: boolean) => boolean;
  /** Stops the scan. */
  readonly signal?: AbortSignal | undefined;
}

/** An open folder during a scan. */
interface ScannedFolder {
  readonly path: string;
  readonly node: FolderNode;
  readonly open: DirectoryHandle;
  /** Undefined for the folder where the scan starts. */
  readonly status: DirectoryEntryStatus | undefined;
  /** In an ignored folder, only known entries are scanned. */
  readonly isIgnored: boolean;
}

/** Number of entries per `stat` batch. */
const statusBatchSize = 512;
const gitFolder = '.git';

/** One scan of the workspace: compares the disk with the index, updates the index and collects the changes. */
export class WorkspaceScan {
  /** Changes found so far. */
  readonly changes: StateChange[] = [];
  readonly #options: ScanOptions;
  readonly #slice = sliceScanTime();

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  /** Scans all entries of a root that are not ignored. */
  async scanRoot({ path, node }: WatchedRoot): Promise<void> {
    const open = openConfinedDirectory(this.#options.roots, path, { expectedPath: path });
    if (!open.ok) return;
    try {
      await this.#visit({ path, node, open, status: undefined, isIgnored: false }, undefined);
    } finally {
      open.close();
    }
  }

  /** Scans one path, ignored or not, with the folders that lead to it and, if `isDeep`, everything below it. */
  async scanPath(root: WatchedRoot, path: string, isDeep = true): Promise<void> {
    let open = openConfinedDirectory(this.#options.roots, root.path, { expectedPath: root.path });
    let { path: at, node } = root;
    const names = namesBelow(path, at);
    try {
      for (const name of names) {
        if (!open.ok || name === gitFolder) return;
        const below = joinName(at, name);
        const [status] = open.stat([name]);
        const folder = { path: at, node, open, status: undefined, isIgnored: true };
        if (!isUnchanged(node.children.get(name), status))
          await this.#update(folder, name, status, isKnown(node, name, status?.kind === 'directory'));
        const child = node.children.get(name);
        if (child?.kind !== 'directory') return;
        const inner = open.enter(name);
        open.close();
        open = inner;
        at = below;
        node = child;
      }
      if (isDeep && open.ok && names.length > 0)
        await this.#visit({ path: at, node, open, status: undefined, isIgnored: false }, undefined);
    } finally {
      if (open.ok) open.close();
    }
  }

  async #visit(folder: ScannedFolder, parentRules: IgnoreRules | undefined): Promise<void> {
    const { node, open, isIgnored } = folder;
    const startedAt = Date.now();
    const formerRules = node.rules;
    const found = isIgnored ? undefined : await this.#list(folder, parentRules);
    if (found === 'unreadable') return;
    const { rules, listed } = found ?? {};
    const former = formerRules ?? rules;
    const wasListed = node.isListed;
    const names = listed ? this.#selectEntries(folder, listed, rules!) : [...node.children.keys()];
    const folders: (readonly [string, DirectoryEntryStatus])[] = [];
    let statuses: readonly (DirectoryEntryStatus | undefined)[] = [];
    for (const [index, name] of names.entries()) {
      this.#options.signal?.throwIfAborted();
      const inBatch = index % statusBatchSize;
      if (inBatch === 0) {
        const pause = this.#slice();
        if (pause !== undefined) await pause;
        statuses = open.stat(names.length <= statusBatchSize ? names : names.slice(index, index + statusBatchSize));
      }
      const status = statuses[inBatch];
      const child = node.children.get(name);
      if (status?.kind === 'directory') folders.push([name, status]);
      if (isUnchanged(child, status)) continue;
      const isOld = child !== undefined || (wasListed && former?.ignores(name, status?.kind === 'directory') !== true);
      await this.#update(folder, name, status, isOld);
    }
    if (listed) {
      const present = new Set(names);
      for (const name of Array.from(node.children.keys()))
        if (!present.has(name)) await this.#update(folder, name, undefined, true);
      node.isListed = true;
      node.signature = folder.status && toSignature(folder.status, startedAt);
    }
    for (const [name, status] of folders) await this.#enter(folder, name, status, rules);
  }

  /** Returns the ignore rules and, if the entries may have changed, the entries of a folder. */
  async #list(
    { path, node, open, status }: ScannedFolder,
    parentRules: IgnoreRules | undefined,
  ): Promise<{ readonly rules: IgnoreRules; readonly listed: readonly DirectoryEntry[] | undefined } | 'unreadable'> {
    let listed: readonly DirectoryEntry[] | undefined;
    const isListAsKnown = node.isListed && status !== undefined && isSameSignature(node.signature, status);
    if (!isListAsKnown) {
      listed = list(open);
      if (listed === undefined) return 'unreadable';
      node.ruleNames = listed.flatMap(({ name }) => (isIgnoreFile(name) ? [name] : []));
    }
    const sources = describeRuleSources(open, node.ruleNames);
    const isKnown = node.rules !== undefined && sources === node.ruleSources;
    if (isKnown && (parentRules === undefined || parentRules === node.parentRules))
      return { rules: node.rules!, listed };
    // Entries that the new rules no longer ignore may have existed before.
    if (node.rules === undefined && node.ruleSources !== undefined && sources !== node.ruleSources) forgetList(node);
    const rules = parentRules
      ? await parentRules.enter(baseName(path), { path, sources: node.ruleNames })
      : await loadIgnoreRules(this.#options.roots, path);
    node.rules = rules;
    node.parentRules = parentRules;
    node.ruleSources = sources;
    listed ??= list(open);
    return listed === undefined ? 'unreadable' : { rules, listed };
  }

  /** Selects the entries to scan: those that are not ignored, and ignored ones that are already known. */
  #selectEntries(
    { path, node }: ScannedFolder,
    listed: readonly DirectoryEntry[],
    rules: IgnoreRules,
  ): readonly string[] {
    return listed.flatMap(({ name, kind }) => {
      if (name === gitFolder) return [];
      const isDirectory = kind === 'directory';
      if (this.#options.isExcluded(joinName(path, name), isDirectory)) return [];
      if (isIgnoreFile(name) || !rules.ignores(name, isDirectory)) return [name];
      const known = node.children.get(name);
      if (known !== undefined && known.kind !== 'absent') return [name];
      // The entry is ignored and was missing when a call named it. Stop tracking it.
      node.children.delete(name);
      return [];
    });
  }

  async #enter(
    { path, node, open, isIgnored }: ScannedFolder,
    name: string,
    status: DirectoryEntryStatus,
    rules: IgnoreRules | undefined,
  ): Promise<void> {
    const child = node.children.get(name);
    if (child?.kind !== 'directory') return;
    const below = joinName(path, name);
    const inner = open.enter(name);
    if (!inner.ok) return;
    try {
      const isExcluded = isIgnored || rules?.ignores(name, true) === true;
      await this.#visit({ path: below, node: child, open: inner, status, isIgnored: isExcluded }, rules);
    } finally {
      inner.close();
    }
  }

  /** Stores the current state of an entry. It counts as a change only if the previous state is known. */
  async #update(
    folder: ScannedFolder,
    name: string,
    status: DirectoryEntryStatus | undefined,
    isOld: boolean,
  ): Promise<void> {
    const { node, path } = folder;
    const before = node.children.get(name);
    const after = await this.#read(folder, name, status, isOld);
    if (after.kind === 'absent' && isKnownAbsent(node, name)) node.children.delete(name);
    else node.children.set(name, after);
    if (!isOld || before === after) return;
    const change = { path: joinName(path, name), before: stateOf(before), after: stateOf(after) };
    if (isSameState(change.before, change.after)) return;
    this.changes.push(change);
    if (before?.kind === 'directory' && after.kind !== 'directory')
      this.changes.push(...listRemoved(change.path, before));
  }

  async #read(
    { node, open }: ScannedFolder,
    name: string,
    status: DirectoryEntryStatus | undefined,
    isOld: boolean,
  ): Promise<IndexNode> {
    if (status === undefined) return absentNode;
    if (status.kind === 'file') {
      const { contents, maxFileBytes } = this.#options;
      const readAt = Date.now();
      const state = await readFileState(open, name, status, contents, maxFileBytes);
      return state ? { kind: 'file', state, signature: toSignature(status, readAt) } : absentNode;
    }
    if (status.kind === 'directory') {
      const known = node.children.get(name);
      return known?.kind === 'directory' ? { ...known, mode: status.mode } : createFolderNode(status.mode, isOld);
    }
    if (status.kind === 'other') return otherNode;
    const target = open.readLink(name);
    return target === undefined ? absentNode : { kind: 'link', state: { kind: 'link', target } };
  }
}

/** Returns whether the state of a name is known, including its absence. */
function isKnown(node: FolderNode, name: string, isDirectory: boolean): boolean {
  return node.children.has(name) || (node.isListed && node.rules?.ignores(name, isDirectory) !== true);
}

/** Returns whether a name without a node is known to be absent. */
function isKnownAbsent(node: FolderNode, name: string): boolean {
  return node.isListed && node.rules?.ignores(name, false) !== true && node.rules?.ignores(name, true) !== true;
}

function isUnchanged(child: IndexNode | undefined, status: DirectoryEntryStatus | undefined): boolean {
  if (child === undefined || status === undefined) return child?.kind === 'absent' && status === undefined;
  if (child.kind === 'file')
    return status.kind === 'file' && child.state.mode === status.mode && isSameSignature(child.signature, status);
  if (child.kind === 'directory') return status.kind === 'directory' && child.mode === status.mode;
  return child.kind === 'other' && status.kind === 'other';
}

function list(open: DirectoryHandle): readonly DirectoryEntry[] | undefined {
  const entries: DirectoryEntry[] = [];
  const batches = open.list();
  for (let batch = batches.next(); ; batch = batches.next()) {
    if (batch.done === true) return batch.value === undefined ? entries : undefined;
    for (const entry of batch.value) entries.push(entry);
  }
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
