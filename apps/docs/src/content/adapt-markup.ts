import { defineHastPlugin, type HastPluginEntry } from 'satteri';

/** An error code, alone in the first cell of a row. */
const errorCode = /^[A-Z][A-Z0-9_]+$/;

/**
 * A plugin of the Markdown processor. Wide tables scroll inside a region that the keyboard reaches, empty headings
 * of columns are plain cells, and on the page of the errors, each row has its error code as anchor.
 */
export const adaptMarkup: HastPluginEntry = ({ fileURL }) => {
  const hasCodes = fileURL?.pathname.endsWith('/content/docs/errors.md') === true;
  let tables = 0;
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
        filter: ['th'],
        visit(node, context) {
          if (context.textContent(node).trim() === '') context.setProperty(node, 'role', 'cell');
        },
      },
      {
        filter: ['tr'],
        visit(node, context) {
          if (!hasCodes) return;
          const first = node.children.find((child) => child.type === 'element');
          const code = first === undefined ? '' : context.textContent(first);
          if (errorCode.test(code)) context.setProperty(node, 'id', code);
        },
      },
    ],
  });
};
