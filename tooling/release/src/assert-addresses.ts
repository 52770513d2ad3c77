/**
 * Ends with exit code 2 while the addresses of the project are placeholders. The release workflow runs it first.
 *
 * usage: node tooling/release/src/assert-addresses.ts
 */
import { readOrganization } from './organization.ts';

if (readOrganization().placeholder === true) {
  process.stderr.write(
    'The addresses in tooling/release/organization.json are placeholders: write the real ones, remove "placeholder", then run node tooling/release/src/write-manifests.ts.\n',
  );
  process.exitCode = 2;
}
