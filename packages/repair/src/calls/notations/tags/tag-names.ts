const words = (list: string): readonly string[] => list.split(' ');

const usual = 'tool_call function_call tool_use tool';
const invented =
  'function_call tool tools response functioncall function_calls action call tool_code toolcall tool-call TOOL_CALL FUNCTION_CALL';

type Content = 'parameters' | 'nameAndJson' | 'nameAndTags' | 'json' | 'code';

/** The names of tags around a call, by what is inside the tag. A name that a model makes up belongs to `invented`. */
export const tagNames: Readonly<Record<Content, readonly string[]>> = {
  /** `<tool name="weather_at"><parameter name="city">Bari</parameter></tool>` */
  parameters: words(`${usual} function use_tool call_tool xai:function_call`),
  /** `<tool><name>weather_at</name><arguments>{…}</arguments></tool>` */
  nameAndJson: words(`${usual} tool_name function action call`),
  /** `<tool><name>weather_at</name><parameters><city>Bari</city></parameters></tool>` */
  nameAndTags: words(`${usual} invoke`),
  /** `<tools>{"name": …}</tools>` */
  json: words(
    `${invented} json xml JSON tool_use function invoke ToolCall ToolCalls tools_call tool_request execute_function execute_tool use_tool run_tool call_tool invoke_tool tool_invocation`,
  ),
  /** `<tools>weather_at(city="Bari")</tools>` */
  code: words(`${invented} tool_call tool_calls TOOLCALL python execute`),
};

/** Matches the name of a tool, as the source of a pattern. */
export const toolName: string = String.raw`[^\s<>"'\`{}()[\]|,;=]{1,128}`;

/** Encloses each name in the brackets of an opening or a closing tag. */
export const openingTags = (names: readonly string[]): readonly string[] => names.map((name) => `<${name}>`);
export const closingTags = (names: readonly string[]): readonly string[] => names.map((name) => `</${name}>`);
