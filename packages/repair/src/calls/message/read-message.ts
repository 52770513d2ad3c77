import { wholeEnd } from '../../json/text/characters.ts';
import { checkExtractOptions } from '../contract/check-extract-options.ts';
import type { ExtractedCall, ExtractOptions } from '../contract/extraction.ts';
import { allEnvelopes } from '../envelopes/index.ts';
import { rejectedCall } from '../settle/rejected-call.ts';
import { indexEnvelopes } from '../source/envelope-index.ts';
import { GrowingText, type Wait } from '../source/growing-text.ts';
import type { MessageSink } from './queue/message-sink.ts';
import { reportMentions } from './mentions/report-mentions.ts';
import { reasoningClosers } from './scan/pass-prose.ts';
import { scanMessage } from './scan/scan-message.ts';
import { Scan } from './scan/scan.ts';

interface MessageReader {
  readonly push: (chunk: string) => void;
  /** Ends the message, with the reason. */
  readonly end: (stopped?: 'stop' | 'length') => void;
}

const smallText = 16_384;
const joinShare = 64;

/** Number of untrusted texts in which calls are reported: each is read like a message. */
const maxReportedTexts = 16;

/**
 * Creates a reader that sends the parts of a message to a sink as soon as no further text can change them. `whole`: the
 * complete message, if it is available. `isUntrusted`: whether it was in a fence around untrusted text.
 */
export function createMessageReader(
  options: ExtractOptions,
  sink: MessageSink,
  whole?: string,
  isUntrusted = false,
): MessageReader {
  const tools = checkExtractOptions(whole === undefined ? 'createToolCallStream' : 'extractToolCalls', options);
  const { startsInReasoning } = options;
  const source = new GrowingText({ ...options, tools }, whole ?? '');
  source.ended = whole !== undefined;
  source.index = indexEnvelopes(options.envelopes ?? allEnvelopes, tools);
  const mentions = reportMentions(tools, sink);
  let reported = 0;
  const reportCalls = (text: string, start: number): void => {
    reported += 1;
    if (reported > maxReportedTexts) return;
    const report = ({ name, ...span }: Pick<ExtractedCall, 'start' | 'end'> & { readonly name?: string }): void => {
      const moved = { start: start + span.start, end: start + span.end };
      scan.queue.list.push({ kind: 'rejected', rejected: rejectedCall(tools, 'quotation', moved, name) });
    };
    const how = { ...options, tools, stopped: 'stop', startsInReasoning: false } as const;
    createMessageReader(how, { text: () => {}, rejected: report, call: report }, text, true).end();
  };
  const scan = new Scan(source, mentions, isUntrusted ? undefined : reportCalls);
  let pending: string[] = [];
  let size = 0;
  let wait: Wait;
  /** Whether there is enough pending text to continue. */
  let isDue = false;
  const arrive = (): void => {
    if (pending.length > 0) source.text += pending.join('');
    pending = [];
    size = 0;
  };
  const run = (): void => {
    wait = scanning.next().value;
    scan.queue.pass(wholeEnd(source.text, scan.state.at));
    scan.flush();
  };

  scan.state.mayBeReasoning = startsInReasoning === undefined;
  if (startsInReasoning === true) scan.openRegion(true, 0, reasoningClosers);
  let scanning = scanMessage(scan);
  return {
    push: (chunk) => {
      if (chunk === '') return;
      pending.push(chunk);
      size += chunk.length;
      const skipClosed = scan.closeRegions(chunk);
      if (skipClosed !== undefined) {
        arrive();
        skipClosed();
        scanning = scanMessage(scan);
        isDue = true;
      } else isDue ||= wait === undefined || wait(chunk);
      // Joining copies all the pending text, so it waits until the new text is a fixed share of that.
      if (!isDue || size < (source.text.length - smallText) / joinShare) return;
      isDue = false;
      arrive();
      run();
    },
    end: (why) => {
      if (why !== undefined) source.stopped = why;
      scan.endText();
      arrive();
      run();
      scan.finish();
      mentions.finish();
    },
  };
}
