import type { PermissionRequest } from '@haft/core';
import { expandCurlPattern } from '../paths/curl-path-patterns.ts';
import { expandCommands } from '../shell/expand/expand-commands.ts';
import { languageOf } from '../shell/programs/languages.ts';
import { opensNothing, shells } from '../shell/programs/programs.ts';
import type { ShellEnvironment } from '../shell/run/default-values.ts';
import { onlyReads } from '../shell/programs/written-words.ts';
import { hostOfUrl, normalizeHost } from './normalize-host.ts';

/** The hosts that a call is known to contact. */
export interface NamedHosts {
  readonly hosts: ReadonlySet<string>;
  /** False if there was too much text to scan. */
  readonly isWhole: boolean;
}

const hostPrefix = 'host:';
const maxMembers = 20_000;
const maxUrlLength = 64_000;
const maxPieces = 40;
const namesPlace = /(?:ur[il]|href|host|hostname|domain|endpoint|server|address)s?$/i;

/**
 * Returns the hosts that a call names: in footprint keys such as `host:api.example.org`, in arguments that are URLs,
 * and in arguments whose key denotes a location (`url`, `host`, …).
 */
export function hostsOf({ footprint, arguments: args }: PermissionRequest): NamedHosts {
  const hosts = new Set<string>();
  for (const key of [...footprint.reads, ...footprint.writes])
    if (key.startsWith(hostPrefix)) add(hosts, normalizeHost(key.slice(hostPrefix.length)));
  const pending: (readonly [value: unknown, isPlace: boolean])[] = [[args, false]];
  let isWhole = true;
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, isPlace] = next;
    seen += 1;
    if (seen > maxMembers) return { hosts, isWhole: false };
    if (typeof value === 'string') {
      if (isPlace && value.length > maxUrlLength) isWhole = false;
      addPlace(hosts, value, isPlace);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value))
        pending.push([member, Array.isArray(value) ? isPlace : namesPlace.test(key)]);
    }
  }
  return { hosts, isWhole };
}

/**
 * Returns the hosts that a command line names: in URLs, in `/dev/tcp`, in arguments of network programs, and in
 * variables for proxies and servers.
 */
export function hostsOfCommand(line: string, environment: ShellEnvironment): NamedHosts {
  const hosts = new Set<string>();
  let isWhole = true;
  const { commands, redirections, assigned } = expandCommands(line, environment);
  for (const { target } of redirections) addWord(hosts, target.text);
  for (const [name, values] of assigned) for (const value of values) addVariable(hosts, name, value);
  for (const run of commands) {
    const { program, args } = run;
    const goesToHosts =
      networkPrograms.test(program) || !(staysHere.test(program) || opensNothing.has(program) || onlyReads(run));
    const setsVariables = /^(?:env|export|declare|typeset|local|readonly|g?make)$/.test(program);
    // A script may contact hosts from its arguments.
    const script =
      shells.has(program) || languageOf(program) ? args.findIndex(({ text }) => !text.startsWith('-')) : args.length;
    for (const [index, { text }] of args.entries()) {
      addWord(hosts, text);
      if (goesToHosts || (index > script && seemsHost.test(text))) addPieces(hosts, text);
      if (setsVariables && text.includes('='))
        addVariable(hosts, text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1));
      if (program !== 'curl') continue;
      // curl fills in the text itself.
      if (text.startsWith('--expand-')) isWhole = false;
      if (!/[{[]/.test(text)) continue;
      const texts = expandCurlPattern(text);
      if (!texts) isWhole &&= !seemsAddress.test(text);
      for (const own of texts ?? []) {
        addWord(hosts, own);
        addPieces(hosts, own);
      }
    }
  }
  return { hosts, isWhole };
}

/** A dotted name or an option value that is not a file name. */
const seemsHost =
  /^(?:--?[\w-]+[= ])?[^\s/\\]*[\w-]\.(?!(?:[cm]?[jt]sx?|json\w?|ya?ml|toml|ini|md|txt|csv|tsv|html?|css|py|rb|php|pl|sql|xml|log|lock|png|jpe?g|gif|svg|pdf|sh|zip|gz|db|conf|cfg)$)[a-z][\w-]*(?::\d+)?$/i;
/** A curl pattern that may stand for a URL and is not data. */
const seemsAddress = /^[^\s"']*(?::\/\/[^\s"']*[{[]|[{[][^\s"'/]*\.[a-z])/i;
const namesServer = /(?:prox(?:y|ies)|registry|index_url|host|url|uri|endpoint|server|mirror|addr(?:ess)?)$/i;
const holdsServer = /(?:^|[\s.-])\w*(?:proxy|host|server)\w*=|^(?:ssh|nc|ncat)\s/i;

function addVariable(hosts: Set<string>, name: string, value: string): void {
  addWord(hosts, value);
  if (namesServer.test(name) || holdsServer.test(value)) addPieces(hosts, value);
}

/**
 * Programs without network access: a host-like word is text or a file name. For any other program a word may be a host.
 */
const staysHere =
  /^(?:<<|[gmn]?awk|g?sed|perl|tar|zip|unzip|gzip|gunzip|mkdir|make|eslint|prettier|tsc|gcc|clang|vi|vim|nvim|nano|code|sqlite3|pandoc|xxd|patch|shfmt|sd|node|python3?|ruby|php)$/;

const networkPrograms =
  /^(?:curl|wget|aria2c|axel|lynx|w3m|links|elinks|https?|xh|curlie|ssh|scp|sftp|sshfs|rsync|mosh|ftp|lftp|tftp|nc|ncat|netcat|socat|telnet|openssl|git|hg|svn|dig|host|nslookup|drill|ping6?|traceroute|whois|nmap|autossh|websocat|grpcurl|docker|podman|nerdctl|buildah|skopeo|helm|kubectl|pip3?|uv|npm|pnpm|yarn|bun|go|cargo|gem|psql|pg_dump|mysql|mysqldump|mariadb|mongosh?|redis-cli|mail|mailx|sendmail|msmtp|swaks|mutt|smbclient|rclone|ldapsearch|aws|gcloud|az|rsh|rlogin|xfreerdp|ansible)$/;

function addPlace(hosts: Set<string>, text: string, isPlace: boolean): void {
  if (text.length > maxUrlLength) return;
  // Clients ignore these characters when they open a URL.
  const plain = text.replace(/[\t\r\n]/g, '').trim();
  if (/^[a-z][a-z0-9+.-]*:/i.test(plain)) add(hosts, hostOfUrl(plain));
  // `example.org:8080/x`, `//example.org/x`: the tool adds the scheme.
  if (isPlace && plain !== '' && !/^[a-z][a-z0-9+.-]*:[/\\]/i.test(plain))
    add(hosts, hostOfUrl(`http://${plain.replace(/^[/\\]+/, '')}`));
}

/**
 * Adds the URLs that begin anywhere in a word, as in `--proxy=http://example.org`, and the hosts that the shell itself
 * connects to.
 */
function addWord(hosts: Set<string>, text: string): void {
  for (const [url] of text.matchAll(/[a-z][a-z0-9+.-]{0,30}:[/\\]{2}[^\s"'<>]+/gi)) add(hosts, hostOfUrl(url));
  const device = /\/dev\/(?:tcp|udp)\/([^/]+)/.exec(text);
  if (device) add(hosts, normalizeHost(device[1]!));
}

/** `ann@host:path`, `host:port`, `--proxy=host`, `TCP:host:80`: any segment may be the host. */
function addPieces(hosts: Set<string>, text: string): void {
  // `-xhost:80`: a value may follow a one-letter option directly.
  for (const own of /^-[A-Za-z]\w/.test(text) ? [text, text.slice(2)] : [text])
    for (const piece of own.split(/[=@,/?#\\:\s]/, maxPieces))
      if (piece !== '' && !piece.startsWith('-')) add(hosts, normalizeHost(piece));
  add(hosts, normalizeHost(text));
}

function add(hosts: Set<string>, host: string | undefined): void {
  if (host !== undefined) hosts.add(host);
}
