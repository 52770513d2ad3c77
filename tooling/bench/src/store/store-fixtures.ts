/** Fixtures of the store's tests: a temporary PostgreSQL server, and writers that are killed. */
interface StoreFixtures {
  readonly postgresDirectory: string | undefined;
  readonly createPostgresCluster: () => Promise<PostgresCluster>;
  readonly crashWriters: (options: CrashOptions) => Promise<CrashReport>;
}

export interface PostgresCluster {
  url(database?: string): string;
  execute(statement: string): Promise<void>;
  remove(): Promise<void>;
}

interface CrashOptions {
  readonly url: string;
  readonly writes: number;
  readonly kills: number;
  readonly seed: number;
}

/** The outcome of killing writers. */
export interface CrashReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly madeUnheard: number;
  readonly wrongStates: number;
  readonly tornReads: number;
  readonly reads: number;
}

/** Loads the fixtures by path, because they are not published. */
export async function loadStoreFixtures(): Promise<StoreFixtures> {
  const folder = new URL('../../../../packages/store/src/fixtures/', import.meta.url);
  const { href: cluster } = new URL('postgres-cluster.ts', folder);
  const { href: crash } = new URL('crash-writers.ts', folder);
  return { ...((await import(cluster)) as StoreFixtures), ...((await import(crash)) as StoreFixtures) };
}
