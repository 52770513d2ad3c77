import { spawn } from 'node:child_process';

/** Opens a URL in the desktop's browser. Does nothing without a desktop; the URL has been printed. */
export function openInBrowser(address: string): void {
  const program = opener(process.platform, process.env);
  if (!program) return;
  const [command, ...args] = program;
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {
    // Ignored, because the URL has been printed.
  });
  child.unref();
}

/** The program that opens URLs on a platform; `undefined` without a visible desktop. */
export function opener(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): readonly [command: string, ...args: string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  // Without a display it would start a browser in the terminal.
  const hasDisplay = Boolean(environment['DISPLAY'] ?? environment['WAYLAND_DISPLAY']);
  return hasDisplay ? ['xdg-open'] : undefined;
}
