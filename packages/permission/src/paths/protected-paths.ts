import { homedir } from 'node:os';
import { join } from 'node:path';
import { compileGlob } from '@haft/sandbox';
import { PermissionError } from '../permission-error.ts';
import { compilePathMatcher, type Matcher } from './pattern-matchers.ts';

/**
 * Files that hold secrets, by the names they usually have. Matched against absolute paths, without regard to case;
 * `!` takes out of what the others match.
 */
export const defaultProtectedGlobs: readonly string[] = [
  '**/.env',
  '**/.env.*',
  '!**/.env.{example,sample,template,dist,defaults}',
  '**/?*.{pem,key,p12,pfx,jks,keystore,kdbx,ovpn}',
  '**/id_{rsa,dsa,ecdsa,ed25519}*',
  '!**/*.pub',
  '**/.ssh/id*',
  '**/.aws/credentials',
  '**/.aws/sso/**',
  '**/.azure/*token*',
  '**/.config/gcloud/{credentials.db,application_default_credentials.json,legacy_credentials/**}',
  '**/.kube/config',
  '**/.docker/config.json',
  '**/.gnupg/**',
  '**/.password-store/**',
  '**/{.netrc,_netrc,.git-credentials,.pgpass,.pypirc,.vault-token,.htpasswd}',
  '**/.config/{gh/hosts.yml,op/**}',
  '**/*keychain*',
  '**/1[pP]assword*/**',
  '/etc/{shadow,gshadow,sudoers,shadow-,gshadow-}',
  '/etc/sudoers.d/**',
  '/proc/*/{environ,mem}',
  '/dev/{mem,kmem,port}',
];

/** What must not be written because it is run or trusted later, by whoever opens the folder. */
export const defaultWriteProtectedGlobs: readonly string[] = [
  '**/.git/hooks/**',
  '**/.git/config',
  '~/.{bashrc,bash_profile,bash_login,profile,zshrc,zprofile,zshenv,gitconfig}',
  '~/.ssh/{authorized_keys,config,rc}',
  '~/.config/{fish,systemd,autostart}/**',
  '/etc/**',
  '/{bin,sbin,boot,lib,lib64,sys,proc,dev}/**',
  '/usr/{bin,sbin,lib,lib64}/**',
];

/** Says which pattern protects a path, if one does. */
export type ProtectedPaths = (path: string) => string | undefined;

/**
 * Compiles globs over absolute paths, with `~/` for the home directory.
 *
 * @throws PermissionError `INVALID_OPTION` for a glob that can't be used; `option` says where it was given.
 */
export function compileProtectedPaths(option: string, globs: readonly string[]): ProtectedPaths {
  const compile = (glob: string): { readonly glob: string; readonly folded: string; readonly matches: Matcher } => {
    const folded = fold(glob.startsWith('~/') ? join(homedir(), glob.slice(2)) : glob);
    try {
      return { glob, folded, matches: compilePathMatcher(folded) };
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new PermissionError('INVALID_OPTION', `createPermissionEngine: ${option}: ${reason}`, { cause });
    }
  };
  const positive = globs.filter((glob) => !glob.startsWith('!')).map(compile);
  const negative = globs.filter((glob) => glob.startsWith('!')).map((glob) => compile(glob.slice(1)));
  const mayMatch = joinMatchers(positive.map(({ folded }) => folded));
  return (path) => {
    const folded = fold(path);
    if (!mayMatch(folded)) return undefined;
    const found = positive.find(({ matches }) => matches(folded));
    return found && !negative.some(({ matches }) => matches(folded)) ? found.glob : undefined;
  };
}

/** One look instead of one for each pattern, since nearly no path is protected. */
function joinMatchers(globs: readonly string[]): Matcher {
  const joined = compileGlob(`{${globs.join(',')}}`);
  return joined.ok ? (path) => joined.matches(path) : () => true;
}

/** Some file systems take `.ENV`, or the same letters composed differently, for `.env`. */
function fold(path: string): string {
  return path.replaceAll('\\', '/').normalize('NFC').toLowerCase();
}
