import type { EgressRoute, OpenedDriver, OpenDriver } from './contract/jail-driver.ts';
import { openEgress, type EgressOptions } from '../network/egress-proxy.ts';
import { aFunction, anObject, checkIs, checkOptions, checkText, oneOf, texts } from '../check-given.ts';
import { createFailure, errnoOf, type SandboxFailure } from '../sandbox-failure.ts';
import type { Jail, JailLimits, JailPolicy, JailAccess } from './contract/jail.ts';
import { checkLimits, usualLimits } from './limits/process-limits.ts';
import { openBubblewrap } from './bubblewrap/bubblewrap.ts';
import { openSeatbelt } from './seatbelt/seatbelt.ts';
import { escapesViaSymlink } from './escapes-via-symlink.ts';
import { openNoJail } from './no-jail.ts';

/** What a jail is made with. */
export interface JailOptions extends Omit<JailAccess, 'network'> {
  readonly policy: JailPolicy;
  /**
   * The network, with this machine's own ports; or some hosts alone, by a proxy of which programs are told by the usual variables
   * (`HTTPS_PROXY` and the like). Default false: none at all.
   */
  readonly network?: boolean | AllowedHosts;
  readonly limits?: JailLimits;
  /** Hears that commands are not kept in although a jail was preferred. Default: a warning of this process. */
  readonly onWarning?: (message: string) => void;
}

/** Hosts that commands may reach. */
export interface AllowedHosts extends EgressOptions {
  /**
   * Whether all commands of the jail have one loopback, where each finds what another serves, or each its own, which takes a program of
   * Node for each. Default `shared`, where the system can.
   */
  readonly loopback?: 'shared' | 'own';
}

const usualTemporaryBytes = 268_435_456;

const drivers: Readonly<Partial<Record<NodeJS.Platform, OpenDriver>>> = {
  linux: openBubblewrap,
  darwin: openSeatbelt,
};

const loopbacks = oneOf('shared', 'own');
const policies = oneOf('required', 'preferred', 'off');
const members = {
  read: texts,
  write: texts,
  hidden: texts,
  network: {
    expected: "true, false or hosts such as { hosts: ['example.com'] }, with loopback 'shared' or 'own'",
    fits: (value: unknown) =>
      typeof value === 'boolean' ||
      (typeof value === 'object' &&
        value !== null &&
        'hosts' in value &&
        texts.fits(value.hosts) &&
        (!('loopback' in value) || loopbacks.fits(value.loopback))),
  },
  limits: anObject,
  onWarning: aFunction,
};

/**
 * Makes a jail: commands that are wrapped by it see nothing of the machine but the system's programs and the view, and
 * reach no network unless it is opened. Tried out before it is given.
 *
 * Say in `write`, not only to `wrap`, where commands may write: the jail's own programs (bubblewrap, `nsenter`) are taken from the
 * search path, but never from there, from the working directory or from a `node_modules`, where a command could replace them.
 *
 * Failure is data: `JAIL_UNAVAILABLE` where `required` can't be had, so that nothing runs that should be kept in.
 *
 * @throws TypeError for a policy that there is not, a limit or a host that is none, options of another type, and from `wrap` for a
 * path that is not absolute.
 */
export async function createJail(options: JailOptions): Promise<Jail | SandboxFailure> {
  checkOptions(options, "{ policy: 'required', write: ['/project'] }", members, 'the options', ['policy']);
  const { policy, limits = {} } = options;
  checkIs('policy', policy, policies);
  checkLimits(limits);
  const opened =
    policy === 'off'
      ? openNoJail('the policy is off')
      : await open(options, { temporaryBytes: usualTemporaryBytes, ...usualLimits(), ...limits });
  if (!opened.ok) return opened;
  const { network = false } = options;
  const isListed = typeof network === 'object';
  const way = isListed ? await openWay(opened, network) : undefined;
  if (way && 'code' in way) return way;
  return {
    ok: true,
    driver: opened.driver,
    gaps: [
      ...opened.gaps,
      ...(isListed && !way && opened.driver !== 'none'
        ? ['there is no network: hosts can not be told apart here']
        : []),
    ],
    settle: (pid) => opened.settle(pid),
    async close() {
      way?.shared?.close();
      await way?.egress.close();
    },
    wrap: (command, more = {}) => {
      checkOptions(command, "{ file: '/bin/ls', args: [] }", {}, 'the command');
      checkText('file', command.file, '/bin/ls');
      checkIs('args', command.args, texts);
      const wanted = more.network ?? network;
      const read = [...(options.read ?? []), ...(more.read ?? [])];
      const write = [...(options.write ?? []), ...(more.write ?? [])];
      const isMeant = (path: string): boolean => !escapesViaSymlink(path, write);
      return opened.wrap(
        command,
        {
          read: read.filter(isMeant),
          write: write.filter(isMeant),
          hidden: [...(options.hidden ?? []), ...(more.hidden ?? [])],
          network: wanted === true,
        },
        typeof wanted === 'object' ? way : undefined,
      );
    },
  };
}

async function openWay(
  { shareNetwork }: OpenedDriver,
  { loopback = 'shared', ...options }: AllowedHosts,
): Promise<EgressRoute | SandboxFailure | undefined> {
  if (!shareNetwork) return undefined;
  try {
    const egress = await openEgress(options);
    return { egress, shared: loopback === 'shared' ? await shareNetwork(egress) : undefined };
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return createFailure('JAIL_UNAVAILABLE', `the way to the listed hosts can not be opened: ${errnoOf(error)}`);
  }
}

async function open(
  { policy, write = [], onWarning = warn }: JailOptions,
  limits: Required<JailLimits>,
): Promise<OpenedDriver | SandboxFailure> {
  const tryDriver = drivers[process.platform];
  const opened = tryDriver
    ? await tryDriver(limits, write)
    : { ok: false as const, reason: `there is no jail for ${process.platform} yet` };
  if (opened.ok) return opened;
  if (policy === 'required') return createFailure('JAIL_UNAVAILABLE', `no jail can be had: ${opened.reason}`);
  const none = openNoJail(opened.reason);
  onWarning(`Commands run WITHOUT A JAIL, with all rights of this process: ${opened.reason}`);
  return none;
}

function warn(message: string): void {
  process.emitWarning(message, 'NoJailWarning');
}
