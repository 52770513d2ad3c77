import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { findFault } from './find-fault-in-output.ts';

/** The standard error of a real Node program. */
function failedNode(source: string): string {
  return spawnSync(process.execPath, ['--input-type=commonjs', '-e', source], { encoding: 'utf8' }).stderr;
}

describe('the fault in the output of a program that ended', () => {
  it.each([
    ['a thrown error', 'throw new Error("no API key: set FOO_KEY")', 'Error: no API key: set FOO_KEY'],
    ['a missing module', 'require("left-pad-of-nowhere")', "Error: Cannot find module 'left-pad-of-nowhere'"],
    [
      'an error with members',
      'const e = new TypeError("bad port"); e.code = "ERR_PORT"; e.more = { a: 1 }; throw e',
      'TypeError: bad port',
    ],
    ['a port in use', 'require("net").createServer().listen(1, "192.0.2.1")', /^Error: listen E\w+/],
    ['a rejection', 'Promise.reject(new RangeError("out of range"))', 'RangeError: out of range'],
    ['a rejection without an error', 'Promise.reject("just a text")', /UnhandledPromiseRejection|just a text/],
  ])('is found for Node: %s', (_what, source, fault) => {
    const found = findFault(`Starting server…\n${failedNode(source)}`);
    expect(found).toEqual(typeof fault === 'string' ? fault : expect.stringMatching(fault));
  });

  it.each([
    [
      'Python',
      'INFO: loading\nTraceback (most recent call last):\n  File "/srv/x.py", line 3, in <module>\n    import mcp\nModuleNotFoundError: No module named \'mcp\'\n',
      "ModuleNotFoundError: No module named 'mcp'",
    ],
    [
      'Python with a chained error',
      'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: \'A\'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "a.py", line 3\nRuntimeError: A is not set\n',
      'RuntimeError: A is not set',
    ],
    [
      'Go',
      'panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation]\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:8 +0x1d\nexit status 2\n',
      'panic: runtime error: invalid memory address or nil pointer dereference',
    ],
    [
      'Rust',
      "\nthread 'main' (4711) panicked at src/main.rs:12:10:\ncalled `Result::unwrap()` on an `Err` value: NotPresent\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
      'called `Result::unwrap()` on an `Err` value: NotPresent',
    ],
    [
      'an older Rust',
      "thread 'main' panicked at 'no token', src/main.rs:2:5\nnote: run with `RUST_BACKTRACE=1`\n",
      "'no token', src/main.rs:2:5",
    ],
    [
      'Java',
      'Exception in thread "main" java.lang.IllegalStateException: no key\n\tat Main.main(Main.java:3)\n',
      'java.lang.IllegalStateException: no key',
    ],
    [
      'a package that npx does not find',
      "npm error code E404\nnpm error 404 Not Found - GET https://packages.example.com/no-such-server - Not found\nnpm error 404\nnpm error 404  The requested resource 'no-such-server@*' could not be found\nnpm error A complete log of this run can be found in: /root/.npm/_logs/x.log\n",
      'Not Found - GET https://packages.example.com/no-such-server - Not found',
    ],
    [
      'npx behind a certificate that Node does not know',
      'npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error errno SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://packages.example.com/x failed, reason: self-signed certificate in certificate chain\n',
      'request to https://packages.example.com/x failed, reason: self-signed certificate in certificate chain',
    ],
    ['a shell', 'sh: 1: my-server: not found\n', 'sh: 1: my-server: not found'],
    ['uvx', 'error: Failed to spawn: `nothing`\n  Caused by: No such file\n', 'error: Failed to spawn: `nothing`'],
  ])('is found for %s', (_what, stderr, fault) => {
    expect(findFault(stderr)).toBe(fault);
  });

  it('is undefined for output without a fault, however long', () => {
    expect(findFault('')).toBeUndefined();
    expect(findFault('listening on 8080\nready\n')).toBeUndefined();
    const started = process.cpuUsage();
    for (const text of ['Error', ' at x\n', 'npm error ', 'Traceback (most recent call last):\n ', '{\n'])
      findFault(text.repeat(100_000));
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});
