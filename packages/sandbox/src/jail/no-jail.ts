import type { OpenedDriver } from './contract/jail-driver.ts';

/** Opens a driver that restricts nothing. */
export function openNoJail(reason: string): OpenedDriver {
  return {
    ok: true,
    driver: 'none',
    gaps: [`nothing is restricted: ${reason}`],
    wrap: (command) => command,
    settle: () => null,
  };
}
