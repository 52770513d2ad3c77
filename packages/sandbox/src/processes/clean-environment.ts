import { delimiter, isAbsolute } from 'node:path';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string>>;

/** Options for a clean environment. */
export interface CleanEnvironmentOptions {
  /** Where the allowed variables are taken from. Default: those of this process. */
  readonly source?: Readonly<Record<string, string | undefined>>;
  /** Further names to take over. */
  readonly allow?: readonly string[];
  /** Variables to set, whatever the source has. */
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
  // What Windows programs cannot do without.
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

// Nobody is there to answer a question or to turn a page.
const unattended: Environment = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
};

/**
 * Makes an environment for commands out of what is on an allow-list: search path, home, user, locale, time zone, temporary
 * folder, and what Windows needs. Keys, tokens, `NODE_OPTIONS`, `LD_PRELOAD`, `BASH_ENV` and all else stay behind. Relative
 * entries of `PATH` are dropped, so that a file in the working directory is never taken for a command. Pagers, editors and
 * password prompts are switched off. Proxies and agents (`HTTPS_PROXY`, `SSH_AUTH_SOCK`) are rights of their own: `allow` them
 * where they are meant to be had.
 */
export function createCleanEnvironment(options: CleanEnvironmentOptions = {}): Environment {
  const wanted = new Set(options.allow);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.source ?? process.env)) {
    const isAllowed = wanted.has(name) || isCommon(name);
    if (value !== undefined && isAllowed && !value.includes('\0'))
      environment[name] = isSearchPath(name) ? cleanPath(value) : value;
  }
  return { ...environment, ...unattended, ...options.set };
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
