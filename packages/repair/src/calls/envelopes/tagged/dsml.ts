import type { Envelope } from '../../contract/envelope.ts';
import { taggedEnvelope } from '../makers/tagged-envelope.ts';

/** `<｜DSML｜invoke name="weather_at"><｜DSML｜parameter name="days" string="false">5</｜DSML｜parameter></｜DSML｜invoke>` */
export const dsml: Envelope = taggedEnvelope({
  name: 'dsml',
  tier: 1,
  sectionOpeners: ['<｜DSML｜function_calls>', '<｜DSML｜tool_calls>'],
  sectionClosers: ['</｜DSML｜function_calls>', '</｜DSML｜tool_calls>'],
  callOpeners: ['<｜DSML｜invoke '],
  call: /<｜DSML｜invoke\s{1,9}name="([^"\n]{1,128})"\s{0,9}\/?>/y,
  callCloser: '</｜DSML｜invoke>',
  argument: /<｜DSML｜parameter\s{1,9}name="([^"\n]{1,128})"(?:\s{1,9}string="(true|false)")?\s{0,9}>/y,
  argumentOpener: '<｜DSML｜parameter',
  argumentCloser: '</｜DSML｜parameter>',
  trim: 'none',
  unknown: 'json',
});
