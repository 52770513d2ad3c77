/**
 * How a release reads in the CHANGELOG of a package: each changeset as it was written. Packages are versioned together,
 * so a list of the other packages' new versions would repeat what the heading says.
 */
export default {
  getReleaseLine({ summary }) {
    const [first, ...others] = summary.split('\n').map((line) => line.trimEnd());
    return [`- ${first}`, ...others.map((line) => (line === '' ? '' : `  ${line}`))].join('\n');
  },
  getDependencyReleaseLine: () => '',
};
