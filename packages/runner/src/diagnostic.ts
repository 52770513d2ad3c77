/** Something that was not as it should be and did not end the run. */
export interface Diagnostic {
  /**
   * - `orphan-call`: a call in the conversation had no answer; it was given one.
   * - `stray-result`: an answer in the conversation belonged to no call; it was left out.
   * - `renamed-call`: a call id was empty or used before; the call got another.
   * - `rejected-call`: text looked like a call but was not run (cut, no such tool, or a quotation of a tool's answer).
   * - `cut-call`: a structured call that never ended.
   * - `request-retried`: a request failed or came back empty and was made again.
   * - `history-refused`: the model refused the conversation; it was made plainer and sent once more.
   * - `history-kept`: shaping the conversation failed, and it stayed as it was.
   * - `unknown-tool`: `allow` names a tool that is not there as the run begins; it may come later.
   * - `source-failed`: the tool source broke its promise to answer every call.
   * - `work-missing`: the model said that it was done, and `completion` found something missing.
   * - `hook`: one of `turnHooks` added a note, or put another text in the place of the answer.
   */
  readonly kind:
    | 'orphan-call'
    | 'stray-result'
    | 'renamed-call'
    | 'rejected-call'
    | 'cut-call'
    | 'request-retried'
    | 'history-refused'
    | 'history-kept'
    | 'unknown-tool'
    | 'source-failed'
    | 'work-missing'
    | 'hook';
  /** 0: before the first turn. */
  readonly turn: number;
  /** For the developer. */
  readonly message: string;
  readonly callId?: string;
}
