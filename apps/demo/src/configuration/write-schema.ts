/**
 * Writes the JSON schema of `haft.config.json`.
 *
 * usage: node --conditions=@haft/source apps/demo/src/configuration/write-schema.ts
 */
import { writeFileSync } from 'node:fs';

import { commands } from '../commands/list.ts';
import { describeConfiguration } from './configuration-schema.ts';

const path = new URL('../../haft.config.schema.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(describeConfiguration(commands), undefined, 2)}\n`);
