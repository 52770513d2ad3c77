/** What a call did to one file. */
export interface FileEffect {
  readonly kind: 'file';
  /** Path as the workspace knows it. */
  readonly path: string;
  readonly op: 'read' | 'create' | 'modify' | 'append' | 'delete' | 'rename';
  /** Size of the file afterwards, in bytes. */
  readonly bytesAfter?: number;
  /** The former path, for `rename`. */
  readonly from?: string;
}

/** A process that a call started. */
export interface ProcessEffect {
  readonly kind: 'process';
  readonly command: string;
  readonly pid?: number;
  readonly background: boolean;
  readonly exitCode?: number;
  readonly timedOut?: boolean;
}

/** What a call changed or touched outside itself; a result may carry none. */
export type Effect = FileEffect | ProcessEffect;

/** The change of one file as people read it. */
export interface FileDiff {
  readonly path: string;
  /** Unified diff with three context lines. */
  readonly patch: string;
  readonly existedBefore: boolean;
  readonly additions: number;
  readonly deletions: number;
}
