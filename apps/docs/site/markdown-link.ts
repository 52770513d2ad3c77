import { defineRouteMiddleware } from '@astrojs/starlight/route-data';

/** Names the Markdown twin of each page in its head. */
export const onRequest = defineRouteMiddleware((context) => {
  const { id, head } = context.locals.starlightRoute;
  const href = `/${id === '' ? 'index' : id}.md`;
  head.push({ tag: 'link', attrs: { rel: 'alternate', type: 'text/markdown', href } });
});
