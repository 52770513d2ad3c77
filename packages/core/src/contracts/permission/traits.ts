/**
 * The kind of work that a tool does. `read` changes nothing; `edit`, `delete` and `move` change files or records; `other`
 * (the default) is everything else, such as sending, paying or running a command.
 */
export type ToolKind = 'read' | 'edit' | 'delete' | 'move' | 'other';

/** The side effects that a call may have. */
export type SideEffects = 'none' | 'read' | 'write' | 'external';

/**
 * Properties that hold for every call of a tool. Undeclared traits take the most restrictive value: the tool writes, is
 * destructive, reaches the open world, is not idempotent and runs alone.
 */
export interface ToolTraits {
  readonly readOnly: boolean;
  /** `undefined` means true unless the tool is read-only. */
  readonly destructive: boolean | undefined;
  /**
   * Whether a second run with the same arguments has no further effect. `by-key`: only if both runs pass the same
   * `context.idempotencyKey` on to the service.
   */
  readonly idempotent: boolean | 'by-key';
  /**
   * Whether the tool reaches systems outside the user's control, such as web pages, and could therefore leak data. If
   * no user can be asked, such a tool does not run, even if it is read-only. A tool that requires `network` or has
   * `external` side effects is always treated this way. If `undefined`, MCP clients see true and the permission check
   * uses the other traits.
   */
  readonly openWorld: boolean | undefined;
  /** The same arguments always give the same result, without side effects. */
  readonly pure: boolean;
  readonly sideEffects: SideEffects;
  /** Facilities that the tool requires. */
  readonly requires: readonly ('filesystem' | 'network' | 'process' | (string & {}))[];
  /**
   * Whether a person must approve every call. A permission engine asks, even if the tool is read-only or the mode is
   * `allow`, unless an earlier answer or a rule that names the tool allows the call. Default: false.
   */
  readonly needsApproval?: boolean;
}
