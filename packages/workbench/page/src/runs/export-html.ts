/** Creates an HTML document from an element, with the styles of this page and without scripts. */
export async function exportHtml(title: string, element: HTMLElement): Promise<string> {
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const styles = await Promise.all(sheets.map(async ({ href }) => (await fetch(href)).text()));
  const copy = element.cloneNode(true) as HTMLElement;
  for (const button of copy.querySelectorAll('button')) button.remove();
  // Removes everything that could run or load something.
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8" />',
    `<meta http-equiv="content-security-policy" content="${policy}" />`,
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    `<title>${escaped(title.slice(0, 100))}</title>`,
    `<style>${styles.join('\n').replaceAll('</', '<\\/')}</style>`,
    '</head>',
    `<body class="exported"><main><h1 class="unseen">Recorded run</h1><div class="detail-pane">${copy.outerHTML}</div></main></body>`,
    '</html>',
  ].join('\n');
}

/** Saves a text as a file. */
export function downloadText(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
