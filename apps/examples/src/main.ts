import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Each program asserts what it shows, and says so in its last line.
const here = fileURLToPath(new URL('.', import.meta.url));
const folders = readdirSync(here).filter((name) => /^\d\d-/.test(name));
for (const folder of folders) await import(new URL(`${folder}/main.ts`, import.meta.url).href);
