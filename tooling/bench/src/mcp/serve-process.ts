/** A server of one contender over standard input and output. Argument: the contender. */
import { serve } from '@haft/mcp';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createEchoSource } from './haft-registry.ts';
import { createSdkServer } from './sdk-server.ts';

if (process.argv[2] === 'haft') serve(createEchoSource(), { name: 'bench', version: '1.0.0' });
else serveStdio(() => createSdkServer());
