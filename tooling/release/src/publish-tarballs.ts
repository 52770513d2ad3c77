import { runCommand } from '@haft-tooling/checks/run-command';
import type { PackedPackage } from '@haft-tooling/checks/packed';

/** Options for publishing packages. */
export interface PublishOptions {
  /** Address of the registry; npm's own setting without it. */
  readonly registry?: string;
  /** The distribution tag. @default 'latest' */
  readonly tag?: string;
  /** Whether to publish with provenance, which only works in the release workflow. @default true */
  readonly provenance?: boolean;
  /** Folder to run npm in, so that its settings file is found. */
  readonly cwd: string;
}

/** The outcome for one package. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly outcome: 'published' | 'was there already';
}

/**
 * Publishes each tarball whose version the registry doesn't have yet, so that a release that was interrupted can be
 * started again. Rejects with npm's output if npm refuses a package. The packages before it stay published.
 */
export async function publishTarballs(
  packed: readonly PackedPackage[],
  options: PublishOptions,
): Promise<readonly PublishedPackage[]> {
  const registry = options.registry === undefined ? [] : ['--registry', options.registry];
  const outcomes: PublishedPackage[] = [];
  for (const { name, version, tarball } of packed) {
    if (await isPublished(`${name}@${version}`, registry, options.cwd)) {
      outcomes.push({ name, version, outcome: 'was there already' });
      continue;
    }
    const signed = options.provenance === false ? ['--provenance=false'] : [];
    const args = ['publish', tarball, '--access', 'public', '--tag', options.tag ?? 'latest', ...signed, ...registry];
    await runCommand('npm', args, { cwd: options.cwd });
    outcomes.push({ name, version, outcome: 'published' });
  }
  return outcomes;
}

/**
 * Whether the registry has this exact version. Rejects if the registry can't be asked. npm's own log level is set, because
 * under `npm run --silent` npm would print no error code.
 */
async function isPublished(version: string, registry: readonly string[], cwd: string): Promise<boolean> {
  try {
    const { stdout } = await runCommand('npm', ['view', version, 'version', '--loglevel=error', ...registry], { cwd });
    return stdout.trim() !== '';
  } catch (error) {
    if (error instanceof Error && error.message.includes('E404')) return false;
    throw error;
  }
}
