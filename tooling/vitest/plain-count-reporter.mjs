/**
 * Ends a run with one plain line, `N passed, N failed[, N skipped]`, that people and programs can read, after a line
 * for each skipped test. A file that does not load, a hook that fails before any test and an unhandled error each count
 * as one failure.
 */
export default class PlainCountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    let failed = unhandledErrors.length;
    const skipped = [];
    for (const module of modules) {
      const failedBefore = failed;
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        const reason = note === undefined ? '' : ` (${note})`;
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped.push(`skipped: ${module.relativeModuleId}: ${test.fullName}${reason}\n`);
      }
      if (module.state() === 'failed' && failed === failedBefore) failed += 1;
    }
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
    process.once('exit', () => process.stdout.write(`${skipped.join('')}${passed} passed, ${failed} failed${tail}\n`));
  }
}
