/** Queues messages from outside for a running loop. */
export interface SteerSink {
  /** Queues a message. Returns false if the loop has ended or the queue is full. */
  steer(text: string, options?: SteerOptions): boolean;
}

/** The origin of a steering message and whether it is trusted. */
export interface SteerOptions {
  readonly source?: string;
  /** Untrusted text is fenced before it is sent to a model. Default: false. */
  readonly trusted?: boolean;
}
