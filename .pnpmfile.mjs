/** What a package needs inside this workspace only, and what its users must not see. */
const sourceCondition = '@haft/source';

/** Leaves out of a published manifest what refers to files that are not published. */
function beforePacking({ inlinedDependencies: _inlined, devDependencies: _tools, scripts: _scripts, ...manifest }) {
  return { ...manifest, ...(manifest.exports && { exports: withoutSources(manifest.exports) }) };
}

function withoutSources(exports) {
  const entries = Object.entries(exports).map(([subpath, target]) => {
    if (typeof target === 'string') return [subpath, target];
    const { [sourceCondition]: _source, ...conditions } = target;
    return [subpath, conditions];
  });
  return Object.fromEntries(entries);
}

export const hooks = { beforePacking };
