/** Codes of {@link WorkbenchError}. */
export const workbenchErrorCodes = ['PAGE_NOT_BUILT', 'PORT_UNAVAILABLE'] as const;

/** Code of a {@link WorkbenchError}. */
export type WorkbenchErrorCode = (typeof workbenchErrorCodes)[number];

/** A reason why the workbench can't be served. */
export class WorkbenchError extends Error {
  override readonly name = 'WorkbenchError';
  readonly code: WorkbenchErrorCode;
  /** The page that explains the code. */
  readonly url: string;

  constructor(code: WorkbenchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#workbench-${code}`;
  }
}
