/** Prepares the search of Pagefind. It is loaded when a reader opens it, because it is the largest script of the site. */
export function PagefindUI(options: object): void {
  const button = document.querySelector('site-search button[data-open-modal]');
  const dialog = document.querySelector<HTMLDialogElement>('site-search dialog');
  if (button === null || dialog === null) return;
  let isLoading = false;
  const load = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    const { PagefindUI: Search } = await import('@pagefind/default-ui');
    void new Search(options);
    if (dialog.open) dialog.querySelector('input')?.focus();
  };
  // The pointer gives a head start. A shortcut opens the dialog without it.
  button.addEventListener('pointerenter', () => void load(), { once: true });
  new MutationObserver(() => void load()).observe(dialog, { attributeFilter: ['open'] });
  // A reader may have opened it before this script had loaded.
  if (dialog.open) void load();
}
