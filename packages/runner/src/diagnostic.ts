/** A problem that did not end the run. */
export interface Diagnostic {
  /**
   * - `orphan-call`: a call in the conversation had no answer; one was added.
   * - `stray-result`: an answer in the conversation belonged to no call; it was removed.
   * - `renamed-call`: a call id was empty or used before; the call got another one.
   * - `rejected-call`: text looked like a call but was not run (truncated, unknown tool, or a quotation).
   * - `cut-call`: a structured call never ended.
   * - `request-retried`: a request failed or its answer was empty; it was repeated.
   * - `request-interrupted`: an earlier process ended during a request; the model was asked again.
   * - `history-refused`: the model rejected the conversation; a simplified one was sent.
   * - `history-kept`: `shapeHistory` failed; the conversation stayed unchanged.
   * - `unknown-tool`: `allow` names a tool that is missing at the start; it may be added later.
   * - `unknown-model`: a tool's `supportedModels` has a pattern that matches nothing known, so it is probably misspelled.
   * - `option-dropped`: the model does not support an option of the run, such as `thinkingBudget`.
   * - `source-failed`: the tool source did not answer every call.
   * - `results-cut`: the results of a turn exceeded the total limit; the longest were cut for the model.
   * - `work-missing`: the model reported that it was done, but `completion` found missing work.
   * - `hook`: a turn hook added a note or replaced the text of the answer.
   */
  readonly kind:
    | 'orphan-call'
    | 'stray-result'
    | 'renamed-call'
    | 'rejected-call'
    | 'cut-call'
    | 'request-retried'
    | 'request-interrupted'
    | 'history-refused'
    | 'history-kept'
    | 'unknown-tool'
    | 'unknown-model'
    | 'option-dropped'
    | 'source-failed'
    | 'results-cut'
    | 'work-missing'
    | 'hook';
  /** 0 means before the first turn. */
  readonly turn: number;
  /** Message for the developer. */
  readonly message: string;
  readonly callId?: string;
}
