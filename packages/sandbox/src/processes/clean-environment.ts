import { delimiter, isAbsolute } from 'node:path';

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string>>;

/** Options of {@link createCleanEnvironment}. */
export interface CleanEnvironmentOptions {
  /** The source of allowed variables. Default: the environment of this process. */
  readonly source?: Readonly<Record<string, string | undefined>>;
  /** Additional names to copy from the source. */
  readonly allow?: readonly string[];
  /** Variables to set, regardless of the source. */
  readonly set?: Environment;
}

const allowed: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TZ',
  'TMPDIR',
  'LANG',
  'LANGUAGE',
  'COLUMNS',
  'LINES',
  // Required by Windows programs.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
  'OS',
]);

// Commands run without a user who could answer prompts or page through output.
const unattendedVariables: Environment = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
};

/**
 * Creates an environment for commands from an allow-list: search path, home, user, locale, time zone, temporary
 * directory, and what Windows needs. All other variables are dropped, for example keys, tokens, `NODE_OPTIONS`,
 * `LD_PRELOAD` and `BASH_ENV`. Relative entries of `PATH` are dropped, so that a file in the working directory is never
 * run as a command. Pagers, editors and password prompts are disabled. Proxies and agents (`HTTPS_PROXY`,
 * `SSH_AUTH_SOCK`) grant access of their own: add them to `allow` if commands may use them.
 *
 * @example
 * import { createCleanEnvironment } from '@haft/sandbox';
 * process.env['API_KEY'] = 'secret';
 * createCleanEnvironment()['API_KEY']; // => undefined
 */
export function createCleanEnvironment(options: CleanEnvironmentOptions = {}): Environment {
  const wanted = new Set(options.allow);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.source ?? process.env)) {
    const isAllowed = wanted.has(name) || isCommon(name);
    if (value !== undefined && isAllowed && !value.includes('\0'))
      environment[name] = isSearchPath(name) ? cleanPath(value) : value;
  }
  return { ...environment, ...unattendedVariables, ...options.set };
}

function isCommon(name: string): boolean {
  const known = process.platform === 'win32' ? name.toUpperCase() : name;
  return allowed.has(known) || known.startsWith('LC_');
}

function isSearchPath(name: string): boolean {
  return name.toUpperCase() === 'PATH';
}

function cleanPath(value: string): string {
  return value
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .join(delimiter);
}
