#!/usr/bin/env node
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { serve } from '@haft/mcp';
import { createSource } from './create-source.ts';

// Standard output belongs to the protocol: write messages to standard error.
const folder = resolve(process.argv[2] ?? process.env['NOTES_DIR'] ?? 'notes');
mkdirSync(folder, { recursive: true });
const server = serve(createSource(folder), {
  name: 'my-haft-project',
  version: '0.1.0',
  onWarning: (error) => console.error(error.message),
});
console.error(`Serving the notes in ${folder} to the MCP client that started this program (Ctrl-C ends it).`);
process.once('SIGINT', () => void server.close());
await server.closed;
