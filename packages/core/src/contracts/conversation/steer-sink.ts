/** Where messages from outside wait for a running loop to take them in. */
export interface SteerSink {
  /** Puts a message in; false when the loop is gone or the queue is full. */
  steer(text: string, options?: SteerOptions): boolean;
}

/** Who a steering message comes from, and how far it is trusted. */
export interface SteerOptions {
  readonly source?: string;
  /** Untrusted text is fenced before a model reads it. Default false: untrusted. */
  readonly trusted?: boolean;
}
