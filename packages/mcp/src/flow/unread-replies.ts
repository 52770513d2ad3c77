import { McpError } from '../mcp-error.ts';

/** How much of what a peer asked for it may leave unread. */
export interface UnreadLimits {
  /** Bytes of unread replies beyond which nothing more is read of the peer; default 1 MiB. */
  readonly maxUnreadBytes?: number;
  /** Bytes of unread messages of all kinds beyond which the connection is closed; default 64 MiB. */
  readonly maxHeldBytes?: number;
  /** Milliseconds in which a peer that has too much unread has to read something; default 30,000. */
  readonly stallTimeoutMs?: number;
}

/** What happens around the limits. */
export interface UnreadListener {
  /** Nothing more may be read of the peer. */
  onFull?(): void;
  /** The peer may be read again. */
  onRoom?(): void;
  /** The connection has to be closed. */
  onStalled(reason: McpError): void;
}

/** Counts what a peer has not read yet. */
export interface UnreadReplies {
  /** Whether nothing more may be read of the peer. */
  readonly isFull: boolean;
  /** Whether a request can be sent: a peer may be too busy to read, which is no reason to close its connection. */
  readonly hasRoom: boolean;
  /** Why the connection has to be closed, once it has. */
  readonly stalled: McpError | undefined;
  /** Counts a message until the returned function is called. Only replies keep a peer from being read. */
  add(bytes: number, isReply: boolean): () => void;
  /** Resolves when the peer may be read, or never will be again. */
  room(): Promise<void>;
  /** Ends the timer; nothing is counted any more. */
  stop(): void;
}

/**
 * Makes the count of one connection. A peer that sends requests and reads no replies is not read any further, so that its own
 * buffers fill instead of ours, and loses its connection when it reads nothing for some time.
 */
export function createUnreadReplies(listener: UnreadListener, limits: UnreadLimits = {}): UnreadReplies {
  const { maxUnreadBytes = 1024 * 1024, maxHeldBytes = 64 * 1024 * 1024, stallTimeoutMs = 30_000 } = limits;
  let replies = 0;
  let held = 0;
  let isFull = false;
  let isStopped = false;
  let stalled: McpError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waiting: (() => void)[] = [];

  const release = (): void => {
    clearTimeout(timer);
    isFull = false;
    const free = waiting;
    waiting = [];
    for (const go of free) go();
  };
  const stall = (what: string): void => {
    if (isStopped || stalled) return;
    stalled = new McpError('PEER_STALLED', `the other side does not read: ${what}`);
    release();
    listener.onStalled(stalled);
  };
  const watch = (): void => {
    timer = setTimeout(
      () => stall(`${replies} bytes of replies were left unread for ${stallTimeoutMs} ms`),
      stallTimeoutMs,
    );
    timer.unref();
  };

  return {
    get isFull() {
      return isFull;
    },
    get stalled() {
      return stalled;
    },
    get hasRoom() {
      return held <= maxHeldBytes;
    },
    add(bytes, isReply) {
      if (isReply && held > maxHeldBytes) stall(`more than ${maxHeldBytes} bytes wait to be read`);
      held += bytes;
      if (isReply) replies += bytes;
      if (replies > maxUnreadBytes && !isFull && !isStopped && !stalled) {
        isFull = true;
        watch();
        listener.onFull?.();
      }
      return () => {
        held -= bytes;
        if (isReply) replies -= bytes;
        if (!isFull) return;
        if (replies > maxUnreadBytes / 2) timer?.refresh();
        else {
          release();
          listener.onRoom?.();
        }
      };
    },
    room: () => (isFull ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    stop() {
      isStopped = true;
      release();
    },
  };
}
