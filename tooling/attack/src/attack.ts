/** One attack: a program that tries to break a promise of SECURITY.md. */
export interface Attack {
  /** What the attacker does, as a sentence without a full stop. */
  readonly name: string;
  /** Requirements of the attack. If the machine lacks one, the attack is skipped and the reason is printed. */
  readonly needs?: readonly Requirement[];
  /** Runs in the long form only (`--long`). Default: false. */
  readonly isLong?: boolean;
  /** Time after which the attack counts as a breach, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Tries the attack. Resolves to undefined if the defence held, otherwise to what the attacker achieved. */
  run(ground: AttackGround): Promise<string | undefined>;
  /**
   * Tries the same without Haft's protection. Resolves to true if the attack then works. If it does not, the attack
   * proves nothing and counts as failed.
   */
  control?(ground: AttackGround): Promise<boolean>;
}

/** A capability of the machine that an attack depends on. */
export type Requirement = 'jail' | 'git' | 'bash' | 'linux';

/** Resources of an attack. All of them are removed when the attack has ended. */
export interface AttackGround {
  /** A new, empty directory, as a real path. */
  readonly directory: string;
  /** Registers a function that runs when the attack has ended, last registered first. */
  onEnd(cleanUp: () => void | Promise<void>): void;
}

/** A group of attacks on one subject. */
export interface AttackArea {
  /** The subject of the attacks, in one line. */
  readonly subject: string;
  readonly attacks: readonly Attack[];
}

/** The outcome of one attack. */
export type AttackOutcome =
  | { readonly kind: 'held'; readonly durationMs: number }
  | { readonly kind: 'breach'; readonly achieved: string; readonly durationMs: number }
  | { readonly kind: 'skipped'; readonly reason: string };
