import type { ExpressiveCodePlugin } from '@astrojs/starlight/expressive-code';

/** Runs in the page. Scrolling code becomes a region, and each region needs its own name. */
const script = `const name = () =>
  document.querySelectorAll('.expressive-code pre').forEach((pre, index) => {
    if (pre.getAttribute('role') === 'region') pre.setAttribute('aria-label', 'Code ' + (index + 1));
    else pre.removeAttribute('aria-label');
  });
new MutationObserver(name).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['role'] });
name();`;

/** A plugin of Expressive Code that names the regions of code. */
export const nameCodeRegions: ExpressiveCodePlugin = { name: 'haft-name-code-regions', jsModules: [script] };
