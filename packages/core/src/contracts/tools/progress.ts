/** A progress update of a call. */
export interface ProgressUpdate {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
  /** A chunk of output. */
  readonly output?: string;
}
