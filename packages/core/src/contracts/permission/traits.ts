/** What a tool does, in one word; `other` when nothing is said. */
export type ToolKind = 'read' | 'edit' | 'delete' | 'move' | 'other';

/** What a call may touch outside itself. */
export type SideEffects = 'none' | 'read' | 'write' | 'external';

/**
 * What may be relied on about every call of a tool. A tool that declares nothing counts as the worst:
 * it writes, destroys, reaches the open world, may not be repeated and runs alone.
 */
export interface ToolTraits {
  readonly readOnly: boolean;
  /** `undefined`: not said, which counts as true unless the tool is read-only. */
  readonly destructive: boolean | undefined;
  readonly idempotent: boolean;
  /**
   * It reaches what anybody may own, such as web pages, so that it could carry what was read to them: where nobody can be
   * asked it does not run, read-only or not. A tool that requires `network` or has `external` side effects says so by that.
   * `undefined`: not said; clients are told true, and permission goes by the other traits.
   */
  readonly openWorld: boolean | undefined;
  /** Same arguments, same answer, no effects. */
  readonly pure: boolean;
  readonly sideEffects: SideEffects;
  /** Facilities the tool cannot work without. */
  readonly requires: readonly ('filesystem' | 'network' | 'process' | (string & {}))[];
}
