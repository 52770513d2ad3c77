/**
 * Ends a run with one plain line, `N passed, N failed[, N skipped]`, that a person and a program read alike.
 * A file that does not load and an unhandled error each count as one failure.
 */
export default class PlainCountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      let sawTest = false;
      for (const test of module.children.allTests()) {
        sawTest = true;
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
      }
      if (!sawTest && module.state() === 'failed') failed += 1;
    }
    const tail = skipped > 0 ? `, ${skipped} skipped` : '';
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed${tail}\n`));
  }
}
