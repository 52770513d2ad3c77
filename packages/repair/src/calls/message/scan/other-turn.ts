import { matchAt, type GrowingText, type Reading } from '../../source/growing-text.ts';

// A speaker's label on a line of its own or before a colon, as templates and transcripts write it.
const TURN =
  /(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\||### ?)?(?:user|human|User|Human|USER|HUMAN|Instruction)(?:\|>|<\|end_header_id\|>)?[ \t]{0,9}(?:\r?\n|:(?=\s))|(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>)(?:assistant|model|tool|system)|\[INST\]/y;

/** Whether another turn begins at the beginning of a line: that of a user, or of the model once more. */
export function* beginsOtherTurn(source: GrowingText, at: number): Reading<boolean> {
  return (yield* matchAt(source, TURN, at)) !== null;
}
