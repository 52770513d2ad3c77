import { Writable } from 'node:stream';

/** Standard output, reserved for the protocol. */
export interface ProtocolOutput {
  readonly stream: Writable;
  /** Restores standard output for the program. */
  release(): void;
}

/**
 * Reserves standard output for the protocol: everything else that this program writes there, such as a tool's
 * `console.log`, goes to standard error. Replaces `process.stdout.write` until `release()`. Writes that bypass it
 * (`fs.writeSync(1, …)`) are not redirected.
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
