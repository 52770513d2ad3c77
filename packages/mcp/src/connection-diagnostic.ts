/** What a server did that was not as it should be; its connection goes on. */
export interface ConnectionDiagnostic {
  readonly kind:
    /** A tool that can't be used: no name, no object schema, a schema that does not compile, is nested too deeply or has overlong names. */
    | 'invalid-tool'
    /** A second tool of the same name. */
    | 'duplicate-tool'
    /** A schema beyond the limit; the tool is not registered. */
    | 'large-schema'
    /** A description beyond the limit was cut, or held hidden characters. */
    | 'changed-description'
    /** A schema that held hidden characters or overlong texts was freed of them. */
    | 'changed-schema'
    /** A list that goes round in circles, never ends or is too long; what was read is used. */
    | 'endless-list'
    /** Tools could not be listed again; those known before stay. */
    | 'list-failed'
    /** A server that is gone could not be brought back this time; it is tried again. */
    | 'restart-failed'
    /** Lines on standard output that are no messages. */
    | 'garbage'
    /** An answer beyond the limit; its call failed. */
    | 'large-message'
    /** The protocol was broken in some other way. */
    | 'protocol';
  readonly message: string;
  /** The server's own name of the tool in question. */
  readonly tool?: string;
}

/** Hears diagnostics. */
export type Report = (diagnostic: ConnectionDiagnostic) => void;
