import { defineHastPlugin, type HastPluginEntry } from 'satteri';

/** An error code, alone in the first cell of a row. */
const errorCode = /^[A-Z][A-Z0-9_]+$/;

/** The heading of a list of codes: "Jobs: `jobsErrorCodes` of `@haft/jobs`". */
const listOfCodes = /(\w+Codes) of @haft\/([\w-]+)$/;

/**
 * The anchor of an error code on the page of the errors: the code for results of a call, and the package and the code
 * for every other list, since several packages have an `INVALID_OPTION`. Errors of the packages link to it as `url`.
 */
export function anchorOfCode(heading: string, code: string): string {
  const [, list, name] = listOfCodes.exec(heading) ?? [];
  return list === undefined || list === 'errorCodes' ? code : `${name}-${code}`;
}

/**
 * A plugin of the Markdown processor. Wide tables scroll inside a region that the keyboard reaches, empty headings
 * of columns are plain cells, and on the page of the errors, each row has its error code as anchor.
 */
export const adaptMarkup: HastPluginEntry = ({ fileURL }) => {
  const hasCodes = fileURL?.pathname.endsWith('/content/docs/errors.md') === true;
  let tables = 0;
  let heading = '';
  return defineHastPlugin({
    name: 'haft-adapt-markup',
    element: [
      {
        filter: ['table'],
        visit(node) {
          tables += 1;
          const properties = { class: 'table-region', role: 'region', tabindex: '0', 'aria-label': `Table ${tables}` };
          return { type: 'element', tagName: 'div', properties, children: [node] };
        },
      },
      {
        filter: ['img'],
        visit(node) {
          const { src, alt } = node.properties;
          if (typeof src !== 'string' || !src.endsWith('.svg')) return undefined;
          const properties = {
            class: 'picture-region',
            role: 'region',
            tabindex: '0',
            'aria-label': `Picture: ${String(alt)}`,
          };
          return { type: 'element', tagName: 'span', properties, children: [node] };
        },
      },
      {
        filter: ['th'],
        visit(node, context) {
          if (context.textContent(node).trim() === '') context.setProperty(node, 'role', 'cell');
        },
      },
      {
        filter: ['h2'],
        visit(node, context) {
          heading = context.textContent(node).trim();
        },
      },
      {
        filter: ['tr'],
        visit(node, context) {
          if (!hasCodes) return;
          const first = node.children.find((child) => child.type === 'element');
          const code = first === undefined ? '' : context.textContent(first);
          if (errorCode.test(code)) context.setProperty(node, 'id', anchorOfCode(heading, code));
        },
      },
    ],
  });
};
