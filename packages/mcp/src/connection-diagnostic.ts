/** A problem with a server that does not end its connection. */
export interface ConnectionDiagnostic {
  readonly kind:
    /**
     * A tool that can't be used: no name, no object schema, or a schema that does not compile, is too deep or has
     * overlong names.
     */
    | 'invalid-tool'
    /** A second tool of the same name. */
    | 'duplicate-tool'
    /** A schema larger than the limit; the tool is not registered. */
    | 'large-schema'
    /** A description was cut to the limit, or lost hidden characters. */
    | 'changed-description'
    /** A schema lost hidden characters or overlong texts. */
    | 'changed-schema'
    /** A list that repeats a cursor, never ends or is too long; the entries read so far are used. */
    | 'endless-list'
    /** Listing the tools again failed; the known tools stay. */
    | 'list-failed'
    /** A stream of changes ended or could not be opened; further attempts follow. */
    | 'listen-lost'
    /** An attempt to restart a lost server failed; more attempts follow. */
    | 'restart-failed'
    /** Lines on standard output that are not protocol messages. */
    | 'garbage'
    /** A response larger than the limit; its call failed. */
    | 'large-message'
    /** Any other violation of the protocol. */
    | 'protocol';
  readonly message: string;
  /** Name of the affected tool on the server. */
  readonly tool?: string;
}

/** Receives diagnostics. */
export type Report = (diagnostic: ConnectionDiagnostic) => void;
