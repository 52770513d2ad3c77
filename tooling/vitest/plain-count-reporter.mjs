/**
 * Ends a run with one plain line, `N passed, N failed[, N skipped]`, that a person and a program read alike, after a
 * line for each test that was left out. A file that does not load and an unhandled error each count as one failure.
 */
export default class PlainCountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    let failed = unhandledErrors.length;
    const skipped = [];
    for (const module of modules) {
      let sawTest = false;
      for (const test of module.children.allTests()) {
        sawTest = true;
        const { state, note } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else
          skipped.push(
            `skipped: ${module.relativeModuleId}: ${test.fullName}${note === undefined ? '' : ` (${note})`}\n`,
          );
      }
      if (!sawTest && module.state() === 'failed') failed += 1;
    }
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
    process.once('exit', () => process.stdout.write(`${skipped.join('')}${passed} passed, ${failed} failed${tail}\n`));
  }
}
