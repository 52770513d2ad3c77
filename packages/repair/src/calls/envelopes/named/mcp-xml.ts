import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

/** `<use_mcp_tool><server_name>web</server_name><tool_name>find_docs</tool_name><arguments>{…}</arguments></use_mcp_tool>` */
export const mcpXml: Envelope = namedEnvelope({
  name: 'mcp-xml',
  tier: 2,
  openers: ['<use_mcp_tool>'],
  call: /<use_mcp_tool>\s{0,9}(?:<server_name>[^<]{0,128}<\/server_name>\s{0,9})?<tool_name>\s{0,9}([^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}<\/tool_name>\s{0,9}<arguments>\s{0,9}(?=\{)/y,
  closers: ['</arguments>'],
  sectionClosers: ['</use_mcp_tool>'],
});
