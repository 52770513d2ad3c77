/**
 * Formats a release in the CHANGELOG of a package: each changeset as it was written. All packages share one version, so
 * a list of the other packages' versions would repeat the heading.
 */
export default {
  getReleaseLine({ summary }) {
    const [first, ...others] = summary.split('\n').map((line) => line.trimEnd());
    return [`- ${first}`, ...others.map((line) => (line === '' ? '' : `  ${line}`))].join('\n');
  },
  getDependencyReleaseLine: () => '',
};
