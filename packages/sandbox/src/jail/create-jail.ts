import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';
import type { Jail, JailCommand, JailLimits, JailPolicy, JailView } from './jail.ts';
import { checkLimits, usualLimits } from '../limits/process-limits.ts';
import { openBubblewrap } from './bubblewrap.ts';
import { openSeatbelt } from './seatbelt.ts';
import { openNoJail } from './no-jail.ts';

/** What a jail is made with. */
export interface JailOptions extends JailView {
  readonly policy: JailPolicy;
  readonly limits?: JailLimits;
  /** Hears that commands are not kept in although a jail was preferred. Default: a warning of this process. */
  readonly onWarning?: (message: string) => void;
}

/** A way to keep commands in on some system, or why it can't be had here. */
export type OpenedDriver = Omit<Jail, 'ok' | 'wrap'> & {
  readonly ok: true;
  readonly wrap: (command: JailCommand, view: Required<JailView>) => JailCommand;
};

/** Tries a driver out. */
export type OpenDriver = (
  limits: Required<JailLimits>,
) => Promise<OpenedDriver | { readonly ok: false; readonly reason: string }>;

const usualTemporaryBytes = 268_435_456;

const drivers: Readonly<Partial<Record<NodeJS.Platform, OpenDriver>>> = {
  linux: openBubblewrap,
  darwin: openSeatbelt,
};

/**
 * Makes a jail: commands that are wrapped by it see nothing of the machine but the system's programs and the view, and
 * reach no network unless it is opened. Tried out before it is given.
 *
 * Failure is data: `JAIL_UNAVAILABLE` where `required` can't be had, so that nothing runs that should be kept in.
 *
 * @throws TypeError for a policy that there is not, a limit that is none, and from `wrap` for a path that is not absolute.
 */
export async function createJail(options: JailOptions): Promise<Jail | SandboxFailure> {
  const { policy, limits = {} } = options;
  checkLimits(limits);
  if (!['required', 'preferred', 'off'].includes(policy))
    throw new TypeError(`policy must be 'required', 'preferred' or 'off', not ${JSON.stringify(policy)}`);
  const opened =
    policy === 'off'
      ? openNoJail('the policy is off')
      : await open(options, { temporaryBytes: usualTemporaryBytes, ...usualLimits(), ...limits });
  if (!opened.ok) return opened;
  return {
    ok: true,
    driver: opened.driver,
    gaps: opened.gaps,
    settle: (pid) => opened.settle(pid),
    wrap: (command, more = {}) =>
      opened.wrap(command, {
        read: [...(options.read ?? []), ...(more.read ?? [])],
        write: [...(options.write ?? []), ...(more.write ?? [])],
        network: more.network ?? options.network ?? false,
      }),
  };
}

async function open(
  { policy, onWarning = warn }: JailOptions,
  limits: Required<JailLimits>,
): Promise<OpenedDriver | SandboxFailure> {
  const tryDriver = drivers[process.platform];
  const opened = tryDriver
    ? await tryDriver(limits)
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
