// A program with one server, which is interrupted or killed. Arguments: options of createConnection as JSON.
import { createConnection, type ConnectionOptions } from '@haft/mcp';

await createConnection(JSON.parse(process.argv[2] ?? '{}') as ConnectionOptions);
process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
