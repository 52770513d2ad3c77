/** The package managers that a project can be created for. */
export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof packageManagers)[number];

export function isPackageManager(name: string): name is PackageManager {
  return packageManagers.some((each) => each === name);
}

/**
 * Returns the package manager that started this program, which it writes into `npm_config_user_agent`, such as
 * `pnpm/12.21.0 npm/? node/v24.21.0 linux x64`; npm without one.
 */
export function detectPackageManager(environment: Readonly<Record<string, string | undefined>>): PackageManager {
  const [name = ''] = (environment['npm_config_user_agent'] ?? '').split('/');
  return isPackageManager(name) ? name : 'npm';
}

/** Returns the command that runs a script of the project. `bun test` is bun's own test runner. */
export function scriptCommand(packageManager: PackageManager, script: string): string {
  const isShort = packageManager !== 'bun' && (script === 'test' || script === 'start');
  return isShort ? `${packageManager} ${script}` : `${packageManager} run ${script}`;
}
