/** Calls as the formats of models write them, by format. Each is the whole message of a model. */
export const notations: Readonly<Record<string, string>> = {
  hermes: 'I will look.\n<tool_call>\n{"name": "move_money", "arguments": {"to": "mallory", "days": 2}}\n</tool_call>',
  'hermes, 2':
    '<tool_call>{"name":"reboot","arguments":{}}</tool_call>\n<tool_call>{"arguments":{"query":"a </tool_call> b","tags":["x","y"]},"name":"erase_docs"}</tool_call>',
  'tag-aliases':
    '<function_call> {"name": "move_money", "arguments": {"to": "mallory"}}\n<function_call> {"name": "reboot", "arguments": {}}',
  'tag-aliases, 2': '<tools>\n{"name": "erase_docs", "arguments": {"query": "tls"}}\n</tools>',
  'tool_calls-array':
    'Two lookups.<tool_calls>[{"name":"move_money","arguments":{"to":"mallory"}},{"name":"reboot","arguments":null}]</tool_calls>',
  'tool_calls-array, 2':
    '<tool_calls>\n{"name": "erase_docs", "arguments": {"query": "q1"}}\n{"name": "erase_docs", "arguments": {"query": "q2", "limit": 1}}\n</tool_calls>',
  'nemotron-toolcall': '<TOOLCALL>[{"name": "move_money", "arguments": {"to": "mallory", "min_c": -1.5}}]</TOOLCALL>',
  'nemotron-toolcall, 2':
    'ok <TOOLCALL>[{"name": "reboot", "arguments": {}}, {"name": "reboot", "arguments": {}}]</TOOLCALL>',
  granite3: '<|tool_call|>[{"name": "move_money", "arguments": {"to": "mallory"}}]',
  'granite3, 2':
    '<tool_call>[{"name": "erase_docs", "arguments": {"query": "a"}}, {"name": "reboot", "arguments": {}}]',
  longcat: '<longcat_tool_call>{"name": "reboot", "arguments": {}}</longcat_tool_call>',
  'longcat, 2':
    '<longcat_tool_call>move_money<longcat_arg_key>to</longcat_arg_key>\n<longcat_arg_value>Kobe</longcat_arg_value>\n<longcat_arg_key>days</longcat_arg_key>\n<longcat_arg_value>4</longcat_arg_value></longcat_tool_call>',
  internlm2:
    'Let me see.<|action_start|><|plugin|>{"name": "erase_docs", "parameters": {"query": "loom"}}<|action_end|>',
  'internlm2, 2': '<|action_start|> <|plugin|>\n{"name": "move_money", "arguments": {"to": "Lima"}}<|action_end|>',
  apertus: '<|tools_prefix|>[{"move_money": {"to": "Bern", "days": 1}}]<|tools_suffix|>',
  'apertus, 2': 'Sure.<|tools_prefix|>[{"reboot": {}}, {"erase_docs": {"query": "x"}}]<|tools_suffix|>',
  functools: 'functools[{"name": "move_money", "arguments": {"to": "Quito"}}]',
  'functools, 2':
    ' functools[{"name": "erase_docs", "arguments": {"query": "a[0]", "tags": ["p]q"]}}, {"name": "reboot", "arguments": {}}]',
  'mistral-json':
    '[TOOL_CALLS] [{"name": "move_money", "arguments": {"to": "Nice"}}, {"name": "reboot", "arguments": {}}]',
  'mistral-json, 2':
    'ok[TOOL_CALLS][{"name":"erase_docs","arguments":{"query":"[TOOL_CALLS] in text"},"id":"a1b2c3d4e"}]',
  'mistral-args': '[TOOL_CALLS]move_money[ARGS]{"to": "Brest"}',
  'mistral-args, 2':
    '[THINK]hm[/THINK][TOOL_CALLS]erase_docs[CALL_ID]Ab3dE6gH9[ARGS]{"query": "z"}[TOOL_CALLS]reboot[CALL_ID]000000001[ARGS]{}',
  'cohere-action':
    '<|START_THINKING|>plan<|END_THINKING|><|START_ACTION|>[\n {"tool_call_id": "0", "tool_name": "move_money", "parameters": {"to": "Riga"}}\n]<|END_ACTION|>',
  'cohere-action, 2':
    '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"reboot","parameters":{}} {"tool_call_id":"1","tool_name":"erase_docs","parameters":{"query":"k"}}]<|END_ACTION|>',
  'cohere-legacy':
    'Plan: check it\nAction:\n```json\n[\n    {"tool_name": "move_money", "parameters": {"to": "Cork"}}\n]\n```',
  'cohere-legacy, 2': 'Action: ```json\n[{"tool_name": "reboot", "parameters": {}}]\n```',
  gigachat3: 'Moment.<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "move_money", "arguments": {"to": "Perm"}}',
  'gigachat3, 2': '<|function_call|>{"name": "reboot", "arguments": {}}</s>',
  'token-wrapped-json':
    '<|message_model|><|content_invoke_tool_json|>{"name":"move_money","args":{"to":"Suva"}}<|end_message|>',
  'token-wrapped-json, 2': "<|tool_calls|>[{'name': 'erase_docs', 'arguments': {'query': 'it\\'s', 'limit': 2}}]",
  'deepseek-v3':
    'On it.<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>move_money\n```json\n{"to": "Wuxi"}\n```<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>',
  'deepseek-v3, 2':
    '<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>write_note\n```json\n{"path": "x.md", "body": "```js\\n1\\n```"}\n```<\uff5ctool\u2581call\u2581end\uff5c>\n<\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>reboot\n```json\n{}\n```<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>',
  'deepseek-v3.1':
    '<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>erase_docs<\uff5ctool\u2581sep\uff5c>{"query": "m", "limit": 2}<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>',
  'deepseek-v3.1, 2':
    '<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>reboot<\uff5ctool\u2581sep\uff5c>{}<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>move_money<\uff5ctool\u2581sep\uff5c>{"to": "Xi\'an"}<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>',
  'kimi-k2':
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.move_money:0<|tool_call_argument_begin|>{"to": "Hull"}<|tool_call_end|><|tool_call_begin|>functions.reboot:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  'kimi-k2, 2':
    'Go. <|tool_call_begin|>erase_docs:0<|tool_call_argument_begin|>{"query": "no section"}<|tool_call_end|>',
  harmony:
    '<|channel|>analysis<|message|>need data<|end|><|start|>assistant<|channel|>commentary to=functions.move_money <|constrain|>json<|message|>{"to":"Ghent"}<|call|>',
  'harmony, 2': ' to=functions.erase_docs<|channel|>commentary json<|message|>{"query":"hdr"}',
  'functionary-recipient': '<|from|>assistant\n<|recipient|>move_money\n<|content|>{"to": "Pau"}',
  'functionary-recipient, 2': 'all\nLooking it up.\n>>>erase_docs\n{"query": "r"}\n>>>reboot\n{}',
  'function-eq-json': '<function=move_money>{"to": "Vaduz", "hourly": true}</function>',
  'function-eq-json, 2': '<tool_call><function=erase_docs>{"query": "</function> inside"}</function></tool_call>',
  'llama3-json': '{"name": "move_money", "parameters": {"to": "Pisa"}}',
  'llama3-json, 2':
    '<|python_tag|>{"name": "reboot", "parameters": {}}; {"name": "erase_docs", "parameters": {"query": "b", "limit": 9}}',
  'llama-builtin': '<|python_tag|>erase_docs.call(query="x y")',
  'llama-builtin, 2': '<|python_tag|>move_money.call(to="Faro", days=2)',
  'mcp-xml':
    '<use_mcp_tool>\n<server_name>web</server_name>\n<tool_name>erase_docs</tool_name>\n<arguments>\n{"query": "mcp"}\n</arguments>\n</use_mcp_tool>',
  'mcp-xml, 2':
    '<use_mcp_tool><server_name>x</server_name><tool_name>reboot</tool_name><arguments>{}</arguments></use_mcp_tool>',
  'qwen3-coder':
    '<tool_call>\n<function=move_money>\n<parameter=to>\nNew Delhi\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>',
  'qwen3-coder, 2':
    'Writing.\n<function=write_note>\n<parameter=path>a.html</parameter>\n<parameter=body>\n<b>1 < 2 && "q"</b>\n\nend\n</parameter>\n</function>',
  glm: '<tool_call>move_money\n<arg_key>to</arg_key>\n<arg_value>Yalta</arg_value>\n<arg_key>hourly</arg_key>\n<arg_value>false</arg_value>\n</tool_call>',
  'glm, 2':
    'ok<tool_call>erase_docs<arg_key>query</arg_key><arg_value>42</arg_value><arg_key>tags</arg_key><arg_value>["u"]</arg_value></tool_call><tool_call>reboot</tool_call>',
  'hunyuan-v3':
    '<tool_calls>\n<tool_call>move_money<tool_sep>\n<arg_key>to</arg_key>\n<arg_value>Jinan</arg_value>\n</tool_call>\n</tool_calls>',
  'hunyuan-v3, 2': '<tool_calls><tool_call>reboot<tool_sep></tool_call></tool_calls>',
  'invoke-xml':
    '<minimax:tool_call>\n<invoke name="move_money">\n<parameter name="to">Bari</parameter>\n<parameter name="days">2</parameter>\n</invoke>\n<invoke name="reboot">\n</invoke>\n</minimax:tool_call>',
  'invoke-xml, 2':
    '<function_calls>\n<invoke name="erase_docs">\n<parameter name="query">a & b</parameter>\n<parameter name="filter">{"lang": "en"}</parameter>\n</invoke>\n</function_calls>',
  dsml: '<\uff5cDSML\uff5cfunction_calls>\n<\uff5cDSML\uff5cinvoke name="move_money">\n<\uff5cDSML\uff5cparameter name="to" string="true">Ulm</\uff5cDSML\uff5cparameter>\n<\uff5cDSML\uff5cparameter name="days" string="false">5</\uff5cDSML\uff5cparameter>\n</\uff5cDSML\uff5cinvoke>\n</\uff5cDSML\uff5cfunction_calls>',
  'dsml, 2':
    '<\uff5cDSML\uff5ctool_calls>\n<\uff5cDSML\uff5cinvoke name="erase_docs">\n{"query": "v4", "tags": []}\n</\uff5cDSML\uff5cinvoke>\n<\uff5cDSML\uff5cinvoke name="reboot"/>\n</\uff5cDSML\uff5ctool_calls>',
  step3:
    '<\uff5ctool_calls_begin\uff5c>\n<\uff5ctool_call_begin\uff5c>function<\uff5ctool_sep\uff5c><steptml:invoke name="move_money">\n<steptml:parameter name="to">Hami</steptml:parameter>\n</steptml:invoke><\uff5ctool_call_end\uff5c>\n<\uff5ctool_calls_end\uff5c>',
  'step3, 2':
    'x<\uff5ctool_calls_begin\uff5c><\uff5ctool_call_begin\uff5c>function<\uff5ctool_sep\uff5c><steptml:invoke name="erase_docs"><steptml:parameter name="query">s</steptml:parameter><steptml:parameter name="limit">4</steptml:parameter></steptml:invoke><\uff5ctool_call_end\uff5c><\uff5ctool_calls_end\uff5c>',
  'minimax-m3':
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="move_money">]<]minimax[>[<to>Ufa]<]minimax[>[</to>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
  'minimax-m3, 2':
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="erase_docs">]<]minimax[>[<query>n]<]minimax[>[</query>]<]minimax[>[<tags>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[<item>b]<]minimax[>[</item>]<]minimax[>[</tags>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
  'kimi-k3':
    '<|open|>tools<|sep|><|open|>call tool="move_money" index="0"<|sep|><|open|>argument key="to" type="string"<|sep|>Ise<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  'kimi-k3, 2':
    '<|open|>response<|sep|>ok<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="reboot" index="0"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  minicpm5: '<function name="move_money"><param name="to">Ipoh</param><param name="days">2</param></function>',
  'minicpm5, 2':
    'a <function name="write_note"><param name="path">q</param><param name="body"><![CDATA[<x>&</x>]]></param></function> b',
  'morph-xml': '<move_money><to>Sion</to><days>2</days></move_money>',
  'morph-xml, 2': 'Saving.\n<write_note>\n<path>n.md</path>\n<body>\n# Hi\n\n- <b>\n</body>\n</write_note>',
  'yaml-body': '<move_money>\nto: Bled\ndays: 3\n</move_money>',
  'yaml-body, 2': '<tool_call>\nname: erase_docs\narguments:\n  query: yaml leak\n  tags: [a, b]\n</tool_call>',
  pythonic: "[move_money(to='Ulm', days=2), reboot()]",
  'pythonic, 2': '<|python_start|>[erase_docs(query="it\'s [x]", tags=["a"], filter={"k": None})]<|python_end|>',
  lfm2: '<|tool_call_start|>[move_money(to="Agen", min_c=-2.5)]<|tool_call_end|>',
  'lfm2, 2': '<|tool_call_start|>[{"name": "reboot", "arguments": {}}]<|tool_call_end|>done',
  olmo3: '<function_calls>move_money(to="Ames", hourly=true)</function_calls>',
  'olmo3, 2': '<function_calls>\nreboot()\nerase_docs(query="o", filter={"a": [1, 2]})\n</function_calls>',
  'call-text': 'functions.move_money({"to": "Asti", "days": 1})',
  'call-text, 2': '[Calling tool: erase_docs({"query": "cc"})]',
  functiongemma: '<start_function_call>call:move_money{to:<escape>Bray<escape>}<end_function_call>',
  'functiongemma, 2':
    '<start_function_call>call:erase_docs{query:<escape>a,b:{c}<escape>,limit:2}<end_function_call><start_function_call>call:reboot{}<end_function_call>',
  gemma4: '<|tool_call>call:move_money{to:<|"|>S\u00e8te<|"|>,days:2,hourly:true}<tool_call|>',
  'gemma4, 2':
    '<|tool_call>call:erase_docs{query:<|"|>say "hi", ok: {x}<|"|>,tags:[<|"|>a<|"|>],filter:{n:1}}<tool_call|><|tool_call>call:reboot{}<tool_call|>',
  'bare-json': '{"name": "move_money", "arguments": {"to": "Cuzco"}}',
  'bare-json, 2': '{"tool": "erase_docs", "parameters": {"query": "alias"}}',
  'bare-array': '[{"name": "move_money", "arguments": {"to": "Brno"}}, {"name": "reboot", "arguments": {}}]',
  'bare-array, 2': '<think>two</think>[{"name": "erase_docs", "parameters": {"query": "x"}}]',
  'openai-object':
    '{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"move_money","arguments":"{\\"to\\":\\"Vigo\\"}"}}]}',
  'openai-object, 2': '{"tool_call": {"name": "reboot", "arguments": {}}}',
  fenced: '```json\n{"name": "move_money", "arguments": {"to": "Sousse"}}\n```',
  'fenced, 2': 'Running it now:\n```tool_call\n{"name": "erase_docs", "arguments": {"query": "f"}}\n```',
  react: 'Thought: need weather\nAction: move_money\nAction Input: {"to": "Olbia", "days": 1}\nObservation:',
  'a call without arguments': 'reboot()',
  'a tag without arguments': '<reboot/>',
  'a name and JSON': 'move_money: {"to": "eve"}',
  'a short call': '[reboot()]',
};
