declare module '@pagefind/default-ui' {
  /** The search of Pagefind. It adds itself to the element that the options name. */
  export const PagefindUI: new (options: object) => object;
}
