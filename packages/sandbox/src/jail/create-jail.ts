import type { EgressRoute, OpenedDriver, OpenDriver } from './contract/jail-driver.ts';
import { openEgress, type EgressOptions } from '../network/egress-proxy.ts';
import { functionKind, objectKind, checkIs, checkOptions, checkText, oneOf, stringsKind } from '../check-given.ts';
import { createFailure, errnoOf, type SandboxFailure } from '../sandbox-failure.ts';
import type { Jail, JailLimits, JailPolicy, JailAccess } from './contract/jail.ts';
import { checkLimits, defaultLimits } from './limits/process-limits.ts';
import { openBubblewrap } from './bubblewrap/bubblewrap.ts';
import { openSeatbelt } from './seatbelt/seatbelt.ts';
import { escapesViaSymlink } from '../paths/escapes-via-symlink.ts';
import { openNoJail } from './no-jail.ts';

/** Options of {@link createJail}. */
export interface JailOptions extends Omit<JailAccess, 'network'> {
  readonly policy: JailPolicy;
  /**
   * Network access: true for everything including local ports, or allowed hosts through a proxy that programs find in
   * the usual variables (`HTTPS_PROXY` etc.). Default false.
   */
  readonly network?: boolean | AllowedHosts;
  readonly limits?: JailLimits;
  /** Called if commands run without a jail although one was preferred. Default: a process warning. */
  readonly onWarning?: (message: string) => void;
}

/** Hosts that commands may reach. */
export interface AllowedHosts extends EgressOptions {
  /**
   * Whether all commands of the jail share one loopback, so that they can reach each other's servers, or each has its
   * own, which starts a Node program per command. Default `shared` if the system supports it.
   */
  readonly loopback?: 'shared' | 'own';
}

const defaultTemporaryBytes = 268_435_456;

const drivers: Readonly<Partial<Record<NodeJS.Platform, OpenDriver>>> = {
  linux: openBubblewrap,
  darwin: openSeatbelt,
};

const loopbacks = oneOf('shared', 'own');
const policies = oneOf('required', 'preferred', 'off');
const members = {
  read: stringsKind,
  write: stringsKind,
  hidden: stringsKind,
  network: {
    expected: "true, false or hosts such as { hosts: ['example.com'] }, with loopback 'shared' or 'own'",
    fits: (value: unknown) =>
      typeof value === 'boolean' ||
      (typeof value === 'object' &&
        value !== null &&
        'hosts' in value &&
        stringsKind.fits(value.hosts) &&
        (!('loopback' in value) || loopbacks.fits(value.loopback))),
  },
  limits: objectKind,
  onWarning: functionKind,
};

/**
 * Creates a jail. Wrapped commands see only the system's programs and the given paths, and have no network access by
 * default. The jail is tested before it is returned.
 *
 * List all writable paths in `write` here, not only in `wrap`: the jail's own programs (bubblewrap, `nsenter`) come
 * from the search path, but never from writable paths, the working directory or `node_modules`, where a command could
 * replace them.
 *
 * Returns `JAIL_UNAVAILABLE` if a jail is `required` but not available.
 *
 * @throws TypeError if the policy, a limit or a host is invalid, an option has the wrong type, or a path given to
 * `wrap` is not absolute.
 */
export async function createJail(options: JailOptions): Promise<Jail | SandboxFailure> {
  checkOptions(options, "{ policy: 'required', write: ['/project'] }", members, 'options', ['policy']);
  const { policy, limits = {} } = options;
  checkIs('policy', policy, policies);
  checkLimits(limits);
  const opened =
    policy === 'off'
      ? openNoJail('the policy is off')
      : await open(options, { temporaryBytes: defaultTemporaryBytes, ...defaultLimits(), ...limits });
  if (!opened.ok) return opened;
  const { network = false } = options;
  const isListed = typeof network === 'object';
  const route = isListed ? await openEgressRoute(opened, network) : undefined;
  if (route && 'code' in route) return route;
  return {
    ok: true,
    driver: opened.driver,
    gaps: [
      ...opened.gaps,
      ...(isListed && !route && opened.driver !== 'none'
        ? ['there is no network access: allowed hosts are not supported here']
        : []),
    ],
    settle: (pid) => opened.settle(pid),
    async close() {
      route?.shared?.close();
      await route?.egress.close();
    },
    wrap: (command, more = {}) => {
      checkOptions(command, "{ file: '/bin/ls', args: [] }", {}, 'command');
      checkText('file', command.file, '/bin/ls');
      checkIs('args', command.args, stringsKind);
      const wanted = more.network ?? network;
      const read = [...(options.read ?? []), ...(more.read ?? [])];
      const write = [...(options.write ?? []), ...(more.write ?? [])];
      const isSafe = (path: string): boolean => !escapesViaSymlink(path, write);
      return opened.wrap(
        command,
        {
          read: read.filter(isSafe),
          write: write.filter(isSafe),
          hidden: [...(options.hidden ?? []), ...(more.hidden ?? [])],
          network: wanted === true,
        },
        typeof wanted === 'object' ? route : undefined,
      );
    },
  };
}

async function openEgressRoute(
  { shareNetwork }: OpenedDriver,
  { loopback = 'shared', ...options }: AllowedHosts,
): Promise<EgressRoute | SandboxFailure | undefined> {
  if (!shareNetwork) return undefined;
  try {
    const egress = await openEgress(options);
    return { egress, shared: loopback === 'shared' ? await shareNetwork(egress) : undefined };
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return createFailure('JAIL_UNAVAILABLE', `the egress proxy cannot be opened: ${errnoOf(error)}`);
  }
}

async function open(
  { policy, write = [], onWarning = warn }: JailOptions,
  limits: Required<JailLimits>,
): Promise<OpenedDriver | SandboxFailure> {
  const tryDriver = drivers[process.platform];
  const opened = tryDriver
    ? await tryDriver(limits, write)
    : { ok: false as const, reason: `jails are not supported on ${process.platform}` };
  if (opened.ok) return opened;
  if (policy === 'required') return createFailure('JAIL_UNAVAILABLE', `no jail is available: ${opened.reason}`);
  const none = openNoJail(opened.reason);
  onWarning(`Commands run WITHOUT A JAIL, with all privileges of this process: ${opened.reason}`);
  return none;
}

function warn(message: string): void {
  process.emitWarning(message, 'NoJailWarning');
}
