import type { Egress } from '../../network/egress-proxy.ts';
import type { Jail, JailCommand, JailLimits, JailAccess } from './jail.ts';

/** How commands reach the egress proxy. */
export interface EgressRoute {
  readonly egress: Egress;
  /** The shared network of the jail, if there is one. */
  readonly shared: SharedNetwork | undefined;
}

/** A jail driver that works on this machine. */
export type OpenedDriver = Omit<Jail, 'ok' | 'wrap' | 'close'> & {
  readonly ok: true;
  /** Opens a network that leads only to the proxy. Absent if the driver cannot restrict hosts. */
  readonly shareNetwork?: (egress: Egress) => Promise<SharedNetwork | undefined>;
  readonly wrap: (command: JailCommand, view: Required<JailAccess>, route?: EgressRoute) => JailCommand;
};

/** Tests and opens a driver. Programs in `writable` paths are not used. */
export type OpenDriver = (
  limits: Required<JailLimits>,
  writable: readonly string[],
) => Promise<OpenedDriver | { readonly ok: false; readonly reason: string }>;

/**
 * A network that the commands of one jail share: it has a loopback with the forwarder to the proxy, and nothing else.
 * Entering it takes a few milliseconds, whereas a separate forwarder takes as long as starting Node.
 */
export interface SharedNetwork {
  /** Returns the arguments that start a program in this network, or undefined if the forwarder has ended. */
  enterCommand(): readonly string[] | undefined;
  close(): void;
}
