/** Every code of a failure of this package. The spelling is permanent. */
export const sandboxErrorCodes = [
  'ACCESS_DENIED',
  'ALREADY_EXISTS',
  'CHANGED_ON_DISK',
  'COMMAND_NOT_FOUND',
  'DIRECTORY_NOT_EMPTY',
  'FETCH_ABORTED',
  'FETCH_FAILED',
  'FETCH_TIMEOUT',
  'FILE_TOO_LARGE',
  'HARD_LINKED',
  'HOST_NOT_FOUND',
  'INVALID_PATH',
  'INVALID_PATTERN',
  'IS_DIRECTORY',
  'JAIL_UNAVAILABLE',
  'NAME_TOO_LONG',
  'NOT_DIRECTORY',
  'NOT_FOUND',
  'NOT_REGULAR_FILE',
  'OUTSIDE_ROOTS',
  'PROTECTED_PATH',
  'READ_ERROR',
  'RESPONSE_TOO_LARGE',
  'SPAWN_FAILED',
  'SYMLINK_LOOP',
  'SYMLINK_REFUSED',
  'TARGET_CHANGED',
  'TOO_MANY_PROCESSES',
  'TOO_MANY_REDIRECTS',
  'UNENCODABLE_TEXT',
  'URL_REFUSED',
  'WRITE_ERROR',
] as const;

/** One of {@link sandboxErrorCodes}. */
export type SandboxErrorCode = (typeof sandboxErrorCodes)[number];

/** An expected failure. `message` is for developers; `hint` is for models and contains no host paths. */
export interface SandboxFailure {
  readonly ok: false;
  readonly code: SandboxErrorCode;
  readonly message: string;
  readonly hint: string;
}

const hints: Readonly<Record<SandboxErrorCode, string>> = {
  ACCESS_DENIED: 'The file permissions do not allow this. Choose another path, or tell the user.',
  ALREADY_EXISTS: 'That path already exists. Choose another path, or ask to overwrite it.',
  CHANGED_ON_DISK: 'The file changed since it was read. Read it again, then repeat the change.',
  COMMAND_NOT_FOUND: 'That program is not installed. Use another command.',
  DIRECTORY_NOT_EMPTY: 'The directory is not empty. Remove its entries first.',
  FETCH_ABORTED: 'The fetch was cancelled.',
  FETCH_FAILED: 'The server could not be reached, or its response not read. Try again, then use another source.',
  FETCH_TIMEOUT: 'The server took too long. Try again later, or use another source.',
  FILE_TOO_LARGE: 'The file is too large to read as a whole. Read a part of it, for example with offset and limit.',
  HARD_LINKED: 'The file is hard-linked, so a change could reach outside the workspace. Write to a new path instead.',
  HOST_NOT_FOUND: 'That host does not exist. Check the spelling of the URL.',
  INVALID_PATH: 'The path is not valid. Use a relative path, for example "src/index.ts".',
  INVALID_PATTERN: 'The pattern is not valid. Use a glob, for example "**/*.ts" or "src/{a,b}/*.json".',
  IS_DIRECTORY: 'The path is a directory. Use the path of a file inside it, for example "src/index.ts".',
  JAIL_UNAVAILABLE: 'Commands cannot run safely on this machine. Tell the user and continue without commands.',
  NAME_TOO_LONG: 'The path is too long. Use a shorter one.',
  NOT_DIRECTORY: 'A part of the path is not a directory. List the parent directory to see what is there.',
  NOT_FOUND: 'Nothing exists at that path. List the parent directory to see what is there.',
  NOT_REGULAR_FILE: 'The path is not a regular file (a pipe, socket or device). Choose a regular file.',
  OUTSIDE_ROOTS:
    'The path is outside the directories this tool may use. Use a path inside the workspace, for example "src/index.ts".',
  PROTECTED_PATH:
    'That file contains secrets, or other programs run or trust it, so tools must not change it. Tell the user what you would change there.',
  READ_ERROR: 'The file could not be read. Try again, then choose another path.',
  RESPONSE_TOO_LARGE: 'The page is too large to fetch. Use a URL of a smaller part of it.',
  SPAWN_FAILED: 'The command could not be started. Check the command, its arguments and its working directory.',
  SYMLINK_LOOP: 'The path contains a loop of symbolic links. Choose another path.',
  SYMLINK_REFUSED: 'The path is a symbolic link. Use the path of the file it points to.',
  TARGET_CHANGED:
    'The path now leads to a different file than the one allowed. Repeat the call to have the new target checked.',
  TOO_MANY_PROCESSES:
    'Too many processes are running in the background. Stop one that is no longer needed, then repeat the call.',
  TOO_MANY_REDIRECTS: 'The URL redirects too often. Use the URL of the page itself.',
  UNENCODABLE_TEXT:
    "The text has characters that the file's encoding can't represent. Use only characters that the encoding supports.",
  URL_REFUSED: 'Only http and https URLs of the public network can be fetched, for example "https://example.com/page".',
  WRITE_ERROR: 'The file could not be written. Try again, then choose another path.',
};

export function createFailure(code: SandboxErrorCode, message: string, hint: string = hints[code]): SandboxFailure {
  return { ok: false, code, message, hint };
}

const codeByErrno: Readonly<Record<string, SandboxErrorCode>> = {
  EACCES: 'ACCESS_DENIED',
  EPERM: 'ACCESS_DENIED',
  EEXIST: 'ALREADY_EXISTS',
  EISDIR: 'IS_DIRECTORY',
  ELOOP: 'SYMLINK_LOOP',
  ENAMETOOLONG: 'NAME_TOO_LONG',
  ENOENT: 'NOT_FOUND',
  ENOTDIR: 'NOT_DIRECTORY',
  ENOTEMPTY: 'DIRECTORY_NOT_EMPTY',
  ENXIO: 'NOT_REGULAR_FILE',
};

export function errnoOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Converts a failed system call to a failure. Rethrows any other error, because it is a defect. */
export function failureFromError(error: unknown, fallback: 'READ_ERROR' | 'WRITE_ERROR', path: string): SandboxFailure {
  const errno = errnoOf(error);
  if (errno === '') throw error;
  return createFailure(codeByErrno[errno] ?? fallback, `${errno} on ${JSON.stringify(path)}`);
}
