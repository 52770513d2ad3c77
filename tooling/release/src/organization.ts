import { readFileSync } from 'node:fs';

/** The addresses of the project, which are only in `tooling/release/organization.json`. */
export interface Organization {
  /** Whether the addresses are placeholders. A release refuses to start with placeholders. */
  readonly placeholder?: boolean;
  /** Web address of the repository, without a slash at its end. */
  readonly repository: string;
  /** Address below which `packages/<folder>` has its page. */
  readonly homepage: string;
  /** Address of the documentation site, without a slash at its end. */
  readonly documentation: string;
  readonly funding: string;
  /** Who reviews changes, as CODEOWNERS names them. */
  readonly maintainers: string;
  /** Mail address for reports about conduct. */
  readonly conduct: string;
}

/** Reads the addresses of the project. */
export function readOrganization(): Organization {
  return JSON.parse(readFileSync(new URL('../organization.json', import.meta.url), 'utf8')) as Organization;
}
