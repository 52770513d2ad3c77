import type { OpenedDriver } from './contract/jail-driver.ts';

/** Keeps nothing in, and says so. */
export function openNoJail(reason: string): OpenedDriver {
  return {
    ok: true,
    driver: 'none',
    gaps: [`nothing is kept in: ${reason}`],
    wrap: (command) => command,
    settle: () => null,
  };
}
