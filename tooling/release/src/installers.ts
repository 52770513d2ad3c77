/** A package manager of users, installed by npm. */
export interface Installer {
  readonly name: string;
  /** The program and its arguments, run in the folder of the project. */
  readonly install: readonly [program: string, ...args: string[]];
  /** Files besides `.npmrc` that make it use the given registry. */
  readonly settings?: (registry: string) => Readonly<Record<string, string>>;
}

/** The package managers that a rehearsal tries, npm first. */
export const installers: readonly Installer[] = [
  { name: 'npm', install: ['npm', 'install', '--loglevel=error'] },
  { name: 'pnpm', install: ['npx', '--yes', 'pnpm@12.21.0', 'install', '--ignore-workspace'] },
  {
    name: 'yarn',
    install: ['npx', '--yes', '@yarnpkg/cli-dist@4.18.1', 'install', '--no-immutable'],
    settings: (registry) => ({
      '.yarnrc.yml': `npmRegistryServer: ${registry}\nunsafeHttpWhitelist: [127.0.0.1]\nnodeLinker: node-modules\nenableTelemetry: false\nnpmMinimalAgeGate: 0\n`,
    }),
  },
  {
    name: 'bun',
    install: ['npx', '--yes', 'bun@1.4.5', 'install', '--no-summary'],
    settings: (registry) => ({ 'bunfig.toml': `[install]\nregistry = "${registry}"\n` }),
  },
];
