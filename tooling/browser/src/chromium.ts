import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { connectTo, type Connection, type Parameters } from './connection.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** Chromium on this machine: `CHROME_PATH`, or one of its usual names. */
export const chromiumPath: string | undefined = [
  process.env['CHROME_PATH'] ?? '',
  ...(process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))),
].find((path) => path !== '' && isExecutable(path));

/** Limit of {@link BrowserPage.until}, in milliseconds. */
const maxWaitMs = 50_000;
/** Pause between two checks of {@link BrowserPage.until} while the document does not change, in milliseconds. */
const pauseMs = 100;

/** A page in a headless browser. */
export interface BrowserPage {
  /** Opens a URL and waits until its modules have run. */
  open(address: string): Promise<void>;
  /** Evaluates an expression in the page and returns it as JSON; awaits promises. */
  evaluate<Value>(expression: string): Promise<Value>;
  /**
   * Waits until an expression is true in the page, checking after every change of the document and ten times a second.
   * Needs no frames, which a busy machine may not draw for a long time. Throws with the text of the page if it is not true
   * within 50 seconds.
   */
  until(expression: string): Promise<void>;
  /** Types into the focused element, like an input method. */
  type(text: string): Promise<void>;
  /** Presses a key such as `Tab`. */
  press(key: 'Tab' | 'Enter' | 'Escape' | 'Backspace'): Promise<void>;
  /** Moves the mouse. */
  point(x: number, y: number): Promise<void>;
  /** Emulates this screen. */
  screen(size: { readonly width: number; readonly height: number; readonly dark?: boolean }): Promise<void>;
  /** A screenshot, as WebP of the given quality (0 to 100) or as PNG. */
  picture(webpQuality?: number): Promise<Buffer>;
  /** Errors, warnings, violations of the content policy and dialogs so far. */
  readonly complaints: readonly string[];
  /** URLs that the page has requested. */
  readonly requests: readonly string[];
}

/** A browser for tests. */
export interface Browser {
  readonly page: BrowserPage;
  /** Opens another page in its own window, so that it is visible, too. */
  openPage(): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** Starts a browser with its own profile and one empty page, controlled over two pipes. */
export async function startChromium(path: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'haft-chromium-'));
  const child = spawn(path, [...chromiumArguments(), `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const connection = connectTo(child);
    const { targetInfos } = (await connection.send('Target.getTargets')) as {
      readonly targetInfos: readonly { readonly targetId: string; readonly type: string }[];
    };
    const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId;
    const attach = async (id: unknown): Promise<BrowserPage> => {
      const { sessionId } = await connection.send('Target.attachToTarget', { targetId: id, flatten: true });
      return drivePage(connection, String(sessionId));
    };
    return {
      page: await attach(targetId),
      async openPage() {
        const created = await connection.send('Target.createTarget', { url: 'about:blank', newWindow: true });
        return attach(created['targetId']);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function drivePage(connection: Connection, sessionId: string): Promise<BrowserPage> {
  const send = (method: string, parameters?: Parameters): Promise<Parameters> =>
    connection.send(method, parameters, sessionId);
  const complaints: string[] = [];
  const requests: string[] = [];
  connection.listen(sessionId, (method, parameters) => {
    if (method === 'Network.requestWillBeSent') requests.push((parameters['request'] as { url: string }).url);
    const complaint = complaintOf(method, parameters);
    if (complaint !== undefined) complaints.push(complaint);
    // Closes dialogs, because they would block everything else.
    if (method === 'Page.javascriptDialogOpening') void send('Page.handleJavaScriptDialog', { accept: true });
  });
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
  await send('Page.setLifecycleEventsEnabled', { enabled: true });

  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const { result, exceptionDetails } = (await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { readonly result: { readonly value: Value }; readonly exceptionDetails?: object };
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value;
  };
  const load = async (address: string): Promise<void> => {
    // An earlier document may still be loading, so its end must not count as the end of this one.
    const loaded = new Set<unknown>();
    let look = (): void => undefined;
    const stop = connection.listen(sessionId, (method, { name, loaderId }) => {
      if (method !== 'Page.lifecycleEvent' || name !== 'load') return;
      loaded.add(loaderId);
      look();
    });
    const { loaderId } = await send('Page.navigate', { url: address });
    await new Promise<void>((resolve) => {
      look = () => void (loaded.has(loaderId) && resolve());
      look();
    });
    stop();
  };
  return {
    complaints,
    requests,
    evaluate,
    open: async (address) => {
      // Navigating to another fragment would not reload the page.
      await load('about:blank');
      await load(address);
    },
    until: async (expression) => {
      const isTrue = await evaluate<boolean>(
        `new Promise((resolve) => {
          const end = (isTrue) => {
            observer.disconnect();
            clearInterval(timer);
            clearTimeout(deadline);
            resolve(isTrue);
          };
          const look = () => void ((${expression}) && end(true));
          const observer = new MutationObserver(look);
          const timer = setInterval(look, ${pauseMs});
          const deadline = setTimeout(() => end(false), ${maxWaitMs});
          observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
          look();
        })`,
      );
      if (isTrue) return;
      const text = await evaluate<string>('document.body.innerText');
      throw new Error(`not true within ${maxWaitMs / 1_000} s: ${expression}\nThe page shows:\n${text}`);
    },
    type: async (text) => void (await send('Input.insertText', { text })),
    press: async (key) => {
      const codes = { Tab: 9, Enter: 13, Escape: 27, Backspace: 8 };
      const described = {
        key,
        code: key,
        windowsVirtualKeyCode: codes[key],
        ...(key === 'Enter' ? { text: '\r' } : {}),
      };
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...described });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...described });
    },
    point: async (x, y) => void (await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })),
    screen: async ({ width, height, dark = false }) => {
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
      const value = dark ? 'dark' : 'light';
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    },
    picture: async (quality) => {
      const kind = quality === undefined ? { format: 'png' } : { format: 'webp', quality };
      const { data } = await send('Page.captureScreenshot', kind);
      return Buffer.from(String(data), 'base64');
    },
  };
}

function complaintOf(method: string, parameters: Parameters): string | undefined {
  if (method === 'Page.javascriptDialogOpening') return `a dialog: ${String(parameters['message'])}`;
  if (method === 'Runtime.exceptionThrown') return JSON.stringify(parameters['exceptionDetails']);
  if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(String(parameters['type']))) {
    return JSON.stringify(parameters['args']);
  }
  if (method === 'Log.entryAdded') {
    const { level, text, url } = parameters['entry'] as Readonly<Record<string, string>>;
    return level === 'error' || level === 'warning' ? `${text} ${url ?? ''}` : undefined;
  }
  return undefined;
}

function chromiumArguments(): readonly string[] {
  // Chromium's sandbox needs rights that containers and root seldom have.
  const isRoot = process.getuid?.() === 0;
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    '--no-first-run',
    '--no-default-browser-check',
    // A page that the test has left ends, instead of using the processor in the background.
    '--disable-back-forward-cache',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-dev-shm-usage',
    '--disable-extensions',
    '--disable-gpu',
    '--disable-sync',
    '--hide-scrollbars',
    '--lang=en',
    '--mute-audio',
    '--password-store=basic',
    ...(isRoot || process.env['CI'] === 'true' ? ['--no-sandbox'] : []),
  ];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
