/**
 * Writes the documentation that a package ships into its `dist/docs`.
 *
 * usage: node tooling/bundle/src/write-docs.ts FOLDER
 */
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { writePackageDocs } from './package-docs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const [folder = '.'] = process.argv.slice(2);
await writePackageDocs(root, relative(root, resolve(folder)).replaceAll('\\', '/'));
