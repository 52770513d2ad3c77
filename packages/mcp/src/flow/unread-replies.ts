import { McpError } from '../mcp-error.ts';

/** Limits on data that a peer has requested and not read. */
export interface UnreadLimits {
  /** Bytes of unread replies at which reading from the peer stops. Default 1 MiB. */
  readonly maxUnreadBytes?: number;
  /** Bytes of unread messages of any kind at which the connection is closed. Default 64 MiB. */
  readonly maxQueuedBytes?: number;
  /** Milliseconds without any read, while over the limit, after which the connection is closed. Default 30,000. */
  readonly stallTimeoutMs?: number;
}

/** Callbacks for the limits. */
export interface UnreadListener {
  /** Stop reading from the peer. */
  onFull?(): void;
  /** Resume reading from the peer. */
  onRoom?(): void;
  /** Close the connection. */
  onStalled(reason: McpError): void;
}

/** Counts data that a peer has not read yet. */
export interface UnreadReplies {
  /** Whether reading from the peer has to pause. */
  readonly isFull: boolean;
  /** Whether a request can be sent. A peer that is too busy to read a request keeps its connection. */
  readonly hasRoom: boolean;
  /** The reason for closing the connection, once there is one. */
  readonly stalled: McpError | undefined;
  /** Counts a message until the returned function is called. Only replies can pause reading. */
  add(bytes: number, isReply: boolean): () => void;
  /** Resolves when the peer may be read again, or when counting has stopped. */
  room(): Promise<void>;
  /** Stops counting and clears the timer. */
  stop(): void;
}

/**
 * Creates the counter of one connection. If the peer sends requests without reading the replies, its messages are no
 * longer read, so that its own buffers fill up. If it then reads nothing for `stallTimeoutMs`, its connection is
 * closed.
 */
export function createUnreadReplies(listener: UnreadListener, limits: UnreadLimits = {}): UnreadReplies {
  const { maxUnreadBytes = 1024 * 1024, maxQueuedBytes = 64 * 1024 * 1024, stallTimeoutMs = 30_000 } = limits;
  let unreadReplyBytes = 0;
  let unreadBytes = 0;
  let isFull = false;
  let isStopped = false;
  let stalled: McpError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waiting: (() => void)[] = [];

  const release = (): void => {
    clearTimeout(timer);
    isFull = false;
    const resolvers = waiting;
    waiting = [];
    for (const resolve of resolvers) resolve();
  };
  const stall = (what: string): void => {
    if (isStopped || stalled) return;
    stalled = new McpError('PEER_STALLED', `the peer does not read: ${what}`);
    release();
    listener.onStalled(stalled);
  };
  const watch = (): void => {
    timer = setTimeout(
      () => stall(`${unreadReplyBytes} bytes of replies were left unread for ${stallTimeoutMs} ms`),
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
      return unreadBytes <= maxQueuedBytes;
    },
    add(bytes, isReply) {
      if (isReply && unreadBytes > maxQueuedBytes) stall(`more than ${maxQueuedBytes} bytes wait to be read`);
      unreadBytes += bytes;
      if (isReply) unreadReplyBytes += bytes;
      if (unreadReplyBytes > maxUnreadBytes && !isFull && !isStopped && !stalled) {
        isFull = true;
        watch();
        listener.onFull?.();
      }
      return () => {
        unreadBytes -= bytes;
        if (isReply) unreadReplyBytes -= bytes;
        if (!isFull) return;
        if (unreadReplyBytes > maxUnreadBytes / 2) timer?.refresh();
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
