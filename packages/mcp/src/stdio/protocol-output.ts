import { Writable } from 'node:stream';

/** Standard output, kept for the protocol alone. */
export interface ProtocolOutput {
  readonly stream: Writable;
  /** Gives standard output back to the program. */
  release(): void;
}

/**
 * Takes standard output for the protocol: whatever else this program writes there (a tool's `console.log`, above all) goes
 * to standard error instead of into the middle of a message. It does so by replacing `process.stdout.write`, which `release`
 * puts back; what was written through a stream of its own (`fs.writeSync(1, …)`) is not caught.
 */
export function reserveStandardOutput(): ProtocolOutput {
  const { stdout, stderr } = process;
  const write: typeof stdout.write = Reflect.get(stdout, 'write');
  const stream = new Writable({
    write: (chunk: Uint8Array, encoding, done) => {
      write.call(stdout, chunk, encoding, (error) => done(error));
    },
  });
  const onError = (error: Error): void => void stream.destroy(error);
  stdout.on('error', onError);
  stdout.write = stderr.write.bind(stderr);
  return {
    stream,
    release() {
      stdout.write = write;
      stdout.off('error', onError);
    },
  };
}
