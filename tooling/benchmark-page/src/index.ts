export { formatNumber } from './compare.ts';
export { markdownTable } from './markdown-table.ts';
export { redraw, showPicture } from './redraw.ts';
export { renderMarkdown, renderTable } from './render-rows.ts';
export { writeSection } from './write-section.ts';
