import { dirname } from 'node:path';
import type { JailAccess } from '../contract/jail.ts';

/** System paths that macOS programs need. They contain no user data. */
const system: readonly string[] = [
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/lib',
  '/usr/libexec',
  '/usr/sbin',
  '/usr/share',
  '/System',
  '/Library/Apple',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/etc/localtime',
];
const devices: readonly string[] = [
  '/dev/null',
  '/dev/zero',
  '/dev/random',
  '/dev/urandom',
  '/dev/fd',
  '/dev/dtracehelper',
];
/** Additional paths for network access by name. */
const networkPaths: readonly string[] = [
  '/private/etc/hosts',
  '/private/etc/resolv.conf',
  '/private/etc/ssl',
  '/private/var/run/resolv.conf',
  '/Library/Keychains/System.keychain',
];
const services: readonly string[] = ['com.apple.system.opendirectoryd.libinfo', 'com.apple.system.logger'];
const networkServices: readonly string[] = [
  'com.apple.SystemConfiguration.configd',
  'com.apple.dnssd.service',
  'com.apple.networkd',
  'com.apple.trustd',
];

/**
 * Returns a Seatbelt profile for real paths. Everything not listed is denied. If several rules match a path, the last
 * one applies, so a read-only path inside a writable one stays read-only.
 *
 * @param program - the real path of the command's program.
 */
export function seatbeltProfile(view: Required<JailAccess>, program: string): string {
  const { network } = view;
  const read = [...system, ...(network ? networkPaths : []), program, ...view.read, ...view.write];
  const isDeeper = (path: string): boolean =>
    view.write.some((other) => path !== other && path.startsWith(below(other)));
  const closed = view.read.filter(isDeeper);
  const open = view.write.filter((path) => closed.some((other) => path !== other && path.startsWith(below(other))));
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    allow('process-exec*', 'subpath', read),
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    allow('mach-lookup', 'global-name', [...services, ...(network ? networkServices : [])]),
    // Resolving a path needs the metadata of the directories above it, but not their content.
    allow('file-read-metadata', 'literal', ancestorsOf([...read, ...devices])),
    allow('file-read*', 'subpath', [...read, ...devices]),
    allow('file-read*', 'literal', ['/']),
    allow('file-write*', 'subpath', ['/dev/null', '/dev/zero', ...view.write]),
    ...(closed.length > 0 ? [rule('deny', 'file-write*', 'subpath', closed)] : []),
    ...(open.length > 0 ? [allow('file-write*', 'subpath', open)] : []),
    ...(view.hidden.length > 0 ? [rule('deny', 'file-read* file-write*', 'subpath', view.hidden)] : []),
    ...(network ? ['(allow network*)', '(allow system-socket)'] : []),
    '',
  ].join('\n');
}

function allow(operation: string, filter: string, values: readonly string[]): string {
  return rule('allow', operation, filter, values);
}

function rule(action: 'allow' | 'deny', operation: string, filter: string, values: readonly string[]): string {
  const filters = [...new Set(values)].map((value) => `\n  (${filter} ${quote(value)})`);
  return `(${action} ${operation}${filters.join('')})`;
}

/** Returns a string literal of the profile language. Paths cannot end the literal. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;
}

function below(path: string): string {
  return path === '/' ? '/' : `${path}/`;
}

function ancestorsOf(paths: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths) for (let at = dirname(path); !found.has(at); at = dirname(at)) found.add(at);
  return [...found].toSorted();
}
