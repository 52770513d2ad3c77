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
import { describeRuleSources } from './rule-sources.ts';
import { joinName, namesBelow } from '../path-names.ts';
import { isSameSignature, toSignature } from './signature.ts';
import { takeTurns } from './take-turns.ts';
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

/** A folder that is watched, and what is known of it. */
export interface WatchedRoot {
  /** Real absolute path. */
  readonly path: string;
  readonly node: FolderNode;
  /** False for the top of the file system, under which paths are looked at when they are named, but which is never walked. */
  readonly isWalked: boolean;
}

export interface LookOptions {
  readonly roots: Roots;
  readonly contents: ContentStore;
  /** Larger files are known by what the system says of them alone. */
  readonly maxFileBytes: number;
  /** Whether an entry is left out whatever the ignore files say: the journal's own folder, and what the user named. */
  readonly isLeftOut: (path: string, isDirectory: boolean) => boolean;
  /** Ends the look in the middle. */
  readonly signal?: AbortSignal | undefined;
}

/** A folder that is open. */
interface Place {
  readonly path: string;
  readonly node: FolderNode;
  readonly open: DirectoryHandle;
  /** Undefined for where the look begins. */
  readonly look: DirectoryEntryStatus | undefined;
  /** Ignored, so that only what is known of it already is looked at. */
  readonly isIgnored: boolean;
}

/** Entries that are looked at in one go. */
const pieceOfLooks = 512;
const versionControl = '.git';

/** One look at the workspace: what is on disk is compared with what was known, and is known from then on. */
export class LookAround {
  /** What had changed. */
  readonly changes: StateChange[] = [];
  readonly #options: LookOptions;
  readonly #turn = takeTurns();

  constructor(options: LookOptions) {
    this.#options = options;
  }

  /** Looks at everything in a root that is not ignored. */
  async walk({ path, node }: WatchedRoot): Promise<void> {
    const open = openConfinedDirectory(this.#options.roots, path, { expectedPath: path });
    if (!open.ok) return;
    try {
      await this.#visit({ path, node, open, look: undefined, isIgnored: false }, undefined);
    } finally {
      open.close();
    }
  }

  /** Looks at one path, ignored or not: at the folders that lead to it and, where it is one, at what is below. */
  async lookAt(root: WatchedRoot, path: string, isDeep = true): Promise<void> {
    let open = openConfinedDirectory(this.#options.roots, root.path, { expectedPath: root.path });
    let { path: at, node } = root;
    const names = namesBelow(path, at);
    try {
      for (const name of names) {
        if (!open.ok || name === versionControl) return;
        const below = joinName(at, name);
        const [look] = open.stat([name]);
        const place = { path: at, node, open, look: undefined, isIgnored: true };
        if (!isUnchanged(node.children.get(name), look))
          await this.#update(place, name, look, isKnown(node, name, look?.kind === 'directory'));
        const child = node.children.get(name);
        if (child?.kind !== 'directory') return;
        const inner = open.enter(name);
        open.close();
        open = inner;
        at = below;
        node = child;
      }
      if (isDeep && open.ok && names.length > 0)
        await this.#visit({ path: at, node, open, look: undefined, isIgnored: false }, undefined);
    } finally {
      if (open.ok) open.close();
    }
  }

  async #visit(place: Place, parentRules: IgnoreRules | undefined): Promise<void> {
    const { node, open, isIgnored } = place;
    const startedAt = Date.now();
    const formerRules = node.rules;
    const found = isIgnored ? undefined : await this.#list(place, parentRules);
    if (found === 'unreadable') return;
    const { rules, listed } = found ?? {};
    const former = formerRules ?? rules;
    const wasListed = node.isListed;
    const names = listed ? this.#choose(place, listed, rules!) : [...node.children.keys()];
    const folders: (readonly [string, DirectoryEntryStatus])[] = [];
    let looks: readonly (DirectoryEntryStatus | undefined)[] = [];
    for (const [index, name] of names.entries()) {
      this.#options.signal?.throwIfAborted();
      const inPiece = index % pieceOfLooks;
      if (inPiece === 0) {
        const turn = this.#turn();
        if (turn !== undefined) await turn;
        looks = open.stat(names.length <= pieceOfLooks ? names : names.slice(index, index + pieceOfLooks));
      }
      const look = looks[inPiece];
      const child = node.children.get(name);
      if (look?.kind === 'directory') folders.push([name, look]);
      if (isUnchanged(child, look)) continue;
      const isOld = child !== undefined || (wasListed && former?.ignores(name, look?.kind === 'directory') !== true);
      await this.#update(place, name, look, isOld);
    }
    if (listed) {
      const present = new Set(names);
      for (const name of Array.from(node.children.keys()))
        if (!present.has(name)) await this.#update(place, name, undefined, true);
      node.isListed = true;
      node.signature = place.look && toSignature(place.look, startedAt);
    }
    for (const [name, look] of folders) await this.#enter(place, name, look, rules);
  }

  /** The rules of a folder and, unless it has the entries that are known, its entries. */
  async #list(
    { path, node, open, look }: Place,
    parentRules: IgnoreRules | undefined,
  ): Promise<{ readonly rules: IgnoreRules; readonly listed: readonly DirectoryEntry[] | undefined } | 'unreadable'> {
    let listed: readonly DirectoryEntry[] | undefined;
    const isListAsKnown = node.isListed && look !== undefined && isSameSignature(node.signature, look);
    if (!isListAsKnown) {
      listed = list(open);
      if (listed === undefined) return 'unreadable';
      node.ruleNames = listed.flatMap(({ name }) => (isIgnoreFile(name) ? [name] : []));
    }
    const sources = describeRuleSources(open, node.ruleNames);
    const isKnown = node.rules !== undefined && sources === node.ruleSources;
    if (isKnown && (parentRules === undefined || parentRules === node.parentRules))
      return { rules: node.rules!, listed };
    // What other rules than those of the last time let in may have been there before.
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

  /** What is looked at of a folder's entries: what is not ignored, and what is known although it is. */
  #choose({ path, node }: Place, listed: readonly DirectoryEntry[], rules: IgnoreRules): readonly string[] {
    return listed.flatMap(({ name, kind }) => {
      if (name === versionControl) return [];
      const isDirectory = kind === 'directory';
      if (this.#options.isLeftOut(joinName(path, name), isDirectory)) return [];
      if (isIgnoreFile(name) || !rules.ignores(name, isDirectory)) return [name];
      const known = node.children.get(name);
      if (known !== undefined && known.kind !== 'absent') return [name];
      // It was not there when somebody asked for it by name, and what it is now is nobody's business.
      node.children.delete(name);
      return [];
    });
  }

  async #enter(
    { path, node, open, isIgnored }: Place,
    name: string,
    look: DirectoryEntryStatus,
    rules: IgnoreRules | undefined,
  ): Promise<void> {
    const child = node.children.get(name);
    if (child?.kind !== 'directory') return;
    const below = joinName(path, name);
    const inner = open.enter(name);
    if (!inner.ok) return;
    try {
      const isLeftOut = isIgnored || rules?.ignores(name, true) === true;
      await this.#visit({ path: below, node: child, open: inner, look, isIgnored: isLeftOut }, rules);
    } finally {
      inner.close();
    }
  }

  /** Takes in what is there now. It is a change only where it is known what was there before. */
  async #update(place: Place, name: string, look: DirectoryEntryStatus | undefined, isOld: boolean): Promise<void> {
    const { node, path } = place;
    const before = node.children.get(name);
    const after = await this.#read(place, name, look, isOld);
    if (after.kind === 'absent' && needsNoNote(node, name)) node.children.delete(name);
    else node.children.set(name, after);
    if (!isOld || before === after) return;
    const change = { path: joinName(path, name), before: stateOf(before), after: stateOf(after) };
    if (isSameState(change.before, change.after)) return;
    this.changes.push(change);
    if (before?.kind === 'directory' && after.kind !== 'directory')
      this.changes.push(...listRemoved(change.path, before));
  }

  async #read(
    { node, open }: Place,
    name: string,
    look: DirectoryEntryStatus | undefined,
    isOld: boolean,
  ): Promise<IndexNode> {
    if (look === undefined) return absentNode;
    if (look.kind === 'file') {
      const { contents, maxFileBytes } = this.#options;
      const readAt = Date.now();
      const state = await readFileState(open, name, look, contents, maxFileBytes);
      return state ? { kind: 'file', state, signature: toSignature(look, readAt) } : absentNode;
    }
    if (look.kind === 'directory') {
      const known = node.children.get(name);
      return known?.kind === 'directory' ? { ...known, mode: look.mode } : createFolderNode(look.mode, isOld);
    }
    if (look.kind === 'other') return otherNode;
    const target = open.readLink(name);
    return target === undefined ? absentNode : { kind: 'link', state: { kind: 'link', target } };
  }
}

/** Whether it is known what is, or is not, under a name. */
function isKnown(node: FolderNode, name: string, isDirectory: boolean): boolean {
  return node.children.has(name) || (node.isListed && node.rules?.ignores(name, isDirectory) !== true);
}

/** Whether what is not among the entries is known not to be there. */
function needsNoNote(node: FolderNode, name: string): boolean {
  return node.isListed && node.rules?.ignores(name, false) !== true && node.rules?.ignores(name, true) !== true;
}

function isUnchanged(child: IndexNode | undefined, look: DirectoryEntryStatus | undefined): boolean {
  if (child === undefined || look === undefined) return child?.kind === 'absent' && look === undefined;
  if (child.kind === 'file')
    return look.kind === 'file' && child.state.mode === look.mode && isSameSignature(child.signature, look);
  if (child.kind === 'directory') return look.kind === 'directory' && child.mode === look.mode;
  return child.kind === 'other' && look.kind === 'other';
}

function list(open: DirectoryHandle): readonly DirectoryEntry[] | undefined {
  const entries: DirectoryEntry[] = [];
  const pieces = open.list();
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done === true) return piece.value === undefined ? entries : undefined;
    for (const entry of piece.value) entries.push(entry);
  }
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
