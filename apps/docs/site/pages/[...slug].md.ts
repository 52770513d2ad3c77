import type { APIRoute, GetStaticPaths } from 'astro';
import { getCollection, type CollectionEntry } from 'astro:content';

/** The Markdown twin of every page: its address with `.md` instead of the final `/`. */
export const getStaticPaths: GetStaticPaths = async () =>
  (await getCollection('docs')).map((page) => ({
    params: { slug: page.id === '' ? 'index' : page.id },
    props: { page },
  }));

const get: APIRoute<{ page: CollectionEntry<'docs'> }> = ({ props: { page } }) =>
  new Response(`# ${page.data.title}\n\n${page.body?.trim() ?? ''}\n`, {
    headers: { 'content-type': 'text/markdown; charset=utf-8' },
  });

export { get as GET };
