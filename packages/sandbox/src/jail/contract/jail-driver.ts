import type { Egress } from '../../network/egress-proxy.ts';
import type { Jail, JailCommand, JailLimits, JailAccess } from './jail.ts';

/** How commands get to a proxy outside. */
export interface EgressRoute {
  readonly egress: Egress;
  /** The network that they share, where they do. */
  readonly shared: SharedNetwork | undefined;
}

/** A way to keep commands in on some system, or why it can't be had here. */
export type OpenedDriver = Omit<Jail, 'ok' | 'wrap' | 'close'> & {
  readonly ok: true;
  /** Opens a network that leads to a proxy alone; absent where a command can't be let reach some hosts and no others. */
  readonly shareNetwork?: (egress: Egress) => Promise<SharedNetwork | undefined>;
  readonly wrap: (command: JailCommand, view: Required<JailAccess>, way?: EgressRoute) => JailCommand;
};

/** Tries a driver out; programs that lie where commands may write are none of it. */
export type OpenDriver = (
  limits: Required<JailLimits>,
  writable: readonly string[],
) => Promise<OpenedDriver | { readonly ok: false; readonly reason: string }>;

/**
 * A network that the commands of one jail share: its loopback, on it the way to the proxy outside, and nothing else. To enter one takes a
 * few milliseconds, where a forwarder of its own for each command takes as long as a program of Node takes to start.
 */
export interface SharedNetwork {
  /** The words that a program is started with in it; undefined when nobody forwards there any more. */
  entrance(): readonly string[] | undefined;
  close(): void;
}
