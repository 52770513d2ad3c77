// Labels right before a call that show it, such as `The page contains this text:`. A label can only reject a call.

/** Words of a refusal right before a call, in the languages of models. */
const refusalCue = [
  String.raw`\b(?:i|we)(?: (?:will|would|can|could|do|shall|must|should|am)|['’](?:ll|d|m))?(?: not|n['’]t| never| refuse to| refusing to| decline to|nnot)(?: going to)? (?:run|call|execute|invoke|send|make|issue)(?:ing)? (?:this|that|it|these|(?:any of )?the (?:following|above))(?: \w+){0,2}:\s*$`,
  String.raw`\bi (?:won|can)['’]t (?:run|call|execute|invoke|send|make|issue) (?:this|that|it|these|(?:any of )?the (?:following|above))(?: \w+){0,2}:\s*$`,
  String.raw`(?<!\b(?:let me|let['’]s|now|first|then|next|again|i repeat|i(?:['’]ll| will))\b[^.!?\n]{0,60})\b(?:instruction|request|command|call|prompt|order|text|message)s? (?:that|which) (?:i|we) (?:(?:did|do|will|would|shall|have) not|(?:did|do|wo|have)n['’]t|refused? to|never) (?:follow|run|execute|obey|act on|carry out)(?:ed)?:\s*$`,
  // German, French, Spanish, Italian.
  String.raw`\b(?:diesen (?:aufruf|befehl)|das|dies) (?:führe|rufe|werde) ich nicht (?:aus|auf|ausführen|aufrufen):\s*$|\bje n(?:e |['’])[^\s.,]{1,30} pas (?:cet appel|cette commande|cela|ceci) ?:\s*$`,
  String.raw`\bno (?:ejecutaré|ejecuto|haré|voy a (?:ejecutar|hacer)) (?:esto|esta llamada|este comando):\s*$|\bnon (?:eseguirò|eseguo|farò) (?:questo|questa chiamata|questo comando):\s*$`,
  // Chinese, Japanese, Russian.
  String.raw`(?:不会|拒绝)(?:执行|调用|运行)(?:以下|这个|下面)[^。，,\n]{0,8}[:：]\s*$|(?:この|次の)[^。、\n]{0,10}は(?:実行|呼び出)しません[:：。]\s*$|не (?:буду|стану) (?:выполнять|вызывать|запускать) это(?:т \w+)?:\s*$`,
].join('|');

const end = String.raw`\s?[:：][*_\s]{0,4}$`;
const shownNoun = '(?:text|instruction|prompt|command|call|message|request|line|code|payload|content)s?';
const pastVerb = '(?:ran|run|called|executed|sent|made|did|done|used|tried|issued|invoked|wrote)';
const object = `(?: (?:this|that|it|these|the following)(?: (?:tool )?${shownNoun})?)?`;

/** Labels of a text that someone else wrote, of a call that must not be made, and of one that was made before. */
const quotationLabel = new RegExp(
  [
    String.raw`(?:^|[.!?]\s)\W{0,4}(?:you|he|she|they|(?:the|this|that|an?) (?:\w{1,20} ){0,2}?(?:file|user|prompt|page|e?-?mail|message|log|issue|document|readme|comment|note|text|(?:web)?site|article|attacker)(?: [\w./-]{1,40})?) (?:wrote|said|sent|contains|says|reads|shows|had)${object}${end}`,
    String.raw`\battacker (?:tried|tries|wants?|wanted|attempted|attempts|asks?|asked)\b[^.,;!?\n]{0,60}${end}`,
    String.raw`\b(?:malicious|injected|hidden|suspicious|forged) (?:\w{1,20} )?${shownNoun} (?:was|were|is|are|reads?|says?|said)${object}${end}`,
    String.raw`(?<!\b(?:if|whether|for)\b[^.!?\n]{0,60})\b(?:noticed|found|saw|detected|spotted|discovered|contains?|contained|holds|includes|has|there (?:is|are|was|were)) (?:an? |some |the |this )?(?:prompt[ -]injection|(?:hidden|injected|malicious)\b[^.,!?\n]{0,40}\b(?:texts?|instructions?|prompts?|commands?|calls?))\b(?: (?:attack|attempt)s?)?(?: (?:in|on|inside|within|from|at) [^.,;!?\n]{1,60})?${end}`,
    String.raw`(?:^|[.!?]\s)\W{0,4}(?:please )?(?:do not|don['’]t|never|you (?:must|should) (?:not|never)) (?:ever )?(?:run|do|call|execute|use|send|make|invoke|try|follow) (?:this|that|these|it|the following|such)(?: ${shownNoun})?(?: again)?${end}`,
    String.raw`\b(?:the|my|our|your) (?:previous|last|earlier|wrong|failed|old) (?:tool )?(?:call|command|request|attempt)(?: (?:i|we|you) (?:made|sent|ran|used|tried))? (?:was|were)${object}${end}`,
    String.raw`\b(?:(?:in|during) (?:the|my|our|your) (?:last|previous|earlier) (?:turn|message|step|reply|response|attempt|session),? |earlier,? |previously,? )(?:i|we|you) ${pastVerb}${object}${end}`,
    String.raw`\b(?:i|we|you)(?:['’]ve| have| had)? (?:already|previously) ${pastVerb}${object}(?: (?:earlier|before))?${end}`,
    String.raw`\b(?:i|we)(?: (?:will not|won['’]t|cannot|can['’]t|will never|refuse to|am not going to)|['’]ll not|['’]m not going to) (?:do|run|execute|make|send|follow|call) (?:this|that|it|so|these(?: instructions)?)[.;] (?:the|this|that) (?:${shownNoun}|it) (?:would (?:be|have been)|was|is)${object}${end}`,
    String.raw`\b(?:model|llm) (?:generates|generated|outputs|emits|emitted|writes|produces|produced|responds with)${object}${end}`,
    // German, French, Spanish, Chinese.
    String.raw`\b(?:ich habe|habe ich) (?:das |dies |es )?(?:bereits|schon) (?:ausgeführt|aufgerufen|gesendet|gemacht)${end}|\bj['’]ai déjà (?:exécuté|appelé|envoyé|fait)(?: ceci| cela)?${end}|\bya (?:he )?(?:ejecut(?:ado|é)|hecho|hice|envi(?:ado|é)|llam(?:ado|é))(?: esto)?${end}|已经?(?:执行|运行|调用|发送)[过了]?(?:以下|这个|如下)?[^。，,\n]{0,6}${end}`,
    String.raw`(?:^|[.!?] )(?:du hast|sie haben) (?:diese[ns]?|folgende[ns]?) (?:zeilen?|aufrufe?|befehle?|text|nachricht|anweisung|code) (?:geschickt|gesendet|geschrieben)${end}`,
    String.raw`\b(?:der|dieser) (?:text|inhalt)(?: [^.,:\n]{1,40})? (?:lautet|lautete|war)(?: so)?${end}|\b(?:angreifer (?:schrieb|schreibt|hat (?:das |folgendes )?geschrieben)|(?:auf|in) (?:der|dieser) (?:web)?(?:seite|datei|mail|nachricht) (?:steht|stand|heißt es)|(?:die|diese) (?:web)?(?:seite|datei|e-?mail|nachricht) (?:enthält|enthielt)(?: (?:diesen|folgenden) text| folgendes| dies)?)${end}`,
    String.raw`(?:\b(?:führe|mache?|tu|verwende|sende) (?:das|dies|diesen (?:aufruf|befehl)) (?:niemals|nie|nicht)(?: aus)?|(?:^|[.!?] )(?:nicht|niemals) (?:ausführen|so machen))${end}`,
    String.raw`\b(?:la page(?: web)?|le (?:site|fichier|message)) (?:contient|contenait|dit)(?: (?:ce texte|ceci|le texte suivant))?${end}|attaquant (?:a écrit|écrit|écrivait)${end}|\btexte (?:malveillant|caché|injecté) (?:était|est)${end}|(?:^|[.!?] )n(?:e |['’])[^\s.,]{2,20} (?:pas|jamais) (?:ceci|cela|ça|cet appel|cette commande)${end}|(?:^|[.!?] )ne (?:pas|jamais) exécuter(?: ceci| cela)?${end}`,
    String.raw`\b(?:la página(?: web)?|el (?:sitio|archivo|mensaje)) (?:contiene|contenía|dice)(?: (?:este texto|esto|lo siguiente|el siguiente texto))?${end}|\batacante (?:escribió|escribe|ha escrito)${end}|\btexto (?:malicioso|oculto|inyectado) (?:era|es)${end}|(?:^|[.!?] )(?:no|nunca) (?:ejecutes?|ejecuten|hagas?|hagan|uses?) (?:esto|esta llamada|este comando|lo siguiente)${end}`,
    String.raw`(?:网页|页面|网站|文件|邮件)(?:上|中|里)?(?:的内容|的文本)?(?:包含|写着|写道|显示|说)(?:以下|如下|这段|了)?(?:内容|文本|文字|指令)?${end}|攻击者(?:写道|写了|试图[^。，,\n]{0,12}|说)${end}|(?:恶意|注入的?|隐藏的?)(?:文本|指令|内容|代码)(?:是|为|如下)${end}|(?:不要|请勿|切勿|禁止|绝不要)(?:执行|运行|调用|这样做)[^。，,\n]{0,8}${end}`,
  ].join('|'),
  'i',
);

/** The label of an example. */
const exampleLabel: RegExp = new RegExp(
  [
    String.raw`(?:\b(?:examples?|ejemplos?|beispiele?|exemples?|esemp(?:io|i)|exemplos?)\b|пример|例)[^\n]{0,40}[:：]\s*$`,
    String.raw`^\W{0,4}(?:before|after|old|new|wrong|right|incorrect|option|variant|good|bad|do|don't|usage|syntax|signature|input|actual|expected|request|file)(?: (?:syntax|form|style|code|version|call|output|result|\w))?\W{0,4}:\W{0,4}$`,
    String.raw`(?:^|\bhere(?:'s| is) )(?:the|a|your) config(?:uration)?:\s*$`,
    String.raw`^\W{0,4}(?:file:? )?\W{0,3}[\w/-]{1,60}\.[a-z]{1,4}\W{0,4}:\W{0,4}$`,
    refusalCue,
    String.raw`\b(?:calls? (?:should|must|would|will)(?: never| not)?|never) look like (?:this|so|the following)\W{0,4}$`,
  ].join('|'),
  'i',
);

/** The label of JSON without tags that a program sends, that the reader should copy, or that says what was done. */
const dataLabel = new RegExp(
  [
    String.raw`\b(?:response|reply|body|payload|result|output|error) (?:of|from|by) [^.,;:\n]{1,40} (?:was|were|looks? like|looked like)${object}${end}`,
    String.raw`(?<!\b(?:what|how|whether|if|which)\b[^.!?\n]{0,40})\b(?:webhook|api|server|service|endpoint|client|backend|frontend|app|browser|sensor|device|script|program|plugin) (?:sends?|sent|returns?|returned|respond(?:s|ed)?(?: with)?|answer(?:s|ed)?|receive[sd]?|gets|emit(?:s|ted)|posts?|log(?:s|ged))${object}${end}`,
    String.raw`(?:^|[.!?]\s)\W{0,4}(?:please )?(?:save|store|put|add|insert|append|paste|copy|place|include) (?:this|it|that|these|the following)(?: [a-z]{1,20}){0,2} (?:as|to|in|into|under|at|inside) (?:(?:an? |the |your )?\W{0,3}[\w/-]{1,60}\.[a-z]{1,5}\W{0,3}|your (?:\w{1,20} )?(?:script|code|config(?:uration)?|file|project|settings|program|module))${end}`,
    String.raw`\bthe (?:new|old|changed) (?:line|setting|entry|rule)s? (?:is|are|was|were|reads?)${object}${end}`,
    String.raw`\b(?:i|we)(?:['’]ve| have) (?:already |just |now )?(?:sent|done|executed|run|called|made|fixed|added|used|created|changed|posted) (?:it|this|that|them)(?: (?:with|by|using|via|through|as follows|like this)(?: [^.,;:\n]{1,40})?)?${end}`,
    String.raw`\b(?:this|that|here)(?:['’]s| is| was) (?:what|how) (?:i|we|you) (?:already |just |previously |have |had )?${pastVerb}\b[^.,;:\n]{0,40}${end}`,
    String.raw`(?<!\b(?:i['’]ll|will|let me|us(?:e|ing)|with|call(?:ing)?|from|of)\b[^.!?\n]{0,40})(?:\b(?:tools|functions) (?:that )?(?:(?:i|you|we) (?:have|can use|can call|know)|(?:are )?available|at my disposal)(?: [a-z ]{1,30})?|\b(?:my|available|supported) (?:tools|functions)(?: are)?)${end}`,
    // German, French, Spanish, Chinese.
    String.raw`\bdie (?:antwort|ausgabe) (?:der|des|von) [^.,;:\n]{1,40} (?:war|lautete)${end}|\b(?:der|die|das) (?:webhook|api|server|dienst) (?:sendet|schickt|liefert)${end}|(?:^|[.!?] )speichere (?:das|dies) (?:als|in|unter) \W{0,3}[\w/-]{1,60}\.[a-z]{1,5}\W{0,3}${end}`,
    String.raw`\bla réponse d[^.,;:\n]{1,40} (?:était|a été)${end}|\ble (?:webhook|serveur|service) (?:envoie|renvoie)${end}|\bla respuesta de[^.,;:\n]{1,40} (?:fue|era)${end}|\bel (?:webhook|servidor|servicio) (?:envía|devuelve)${end}|(?:接口|服务器|API) ?的?(?:响应|回复|返回|返回值|返回结果)[是为了]?${end}`,
  ].join('|'),
  'i',
);

const endsWithColon = new RegExp(end);

/** Words of a model that is about to look something up, as in `Let me check what the page says:`. */
const inquiry = new RegExp(
  [
    String.raw`\b(?:let me|let['’]s|i['’]ll|i will(?! not\b| never\b)|(?:re-?)?(?:check|list|look|read|run|repeat)(?:ing)?\b(?! (?:this|that|it|these)\b)|see (?:if|what|which|whether)|which|whether|if)\b`,
    String.raw`(?<!\b(?:this|that|here)(?:['’]s| is| was) )\b(?:what|how)\b`,
    String.raw`\b(?:prüfe|schaue?|sehe|suche|lese|mal sehen|je (?:regarde|vérifie|cherche|lis)|voyons|reviso|leo|compruebo|miro|busco|veamos)\b`,
    '查看|检查|查找|列出|搜索|我来|让我',
  ].join('|'),
  'i',
);

/** Returns whether a line ends with a colon and its last sentence asks for nothing. Most do not, and the patterns of labels are long. */
const isLabel = (line: string): boolean => endsWithColon.test(line) && !inquiry.test(line.split(/[.!?] /).at(-1) ?? '');

/** Returns whether a line is the label of an example, or of a call that someone else wrote or that was made before. */
export function isShownLabel(line: string): boolean {
  return exampleLabel.test(line) || (isLabel(line) && quotationLabel.test(line));
}

/** The end of the text before a call in a list of examples: the heading, and a label right before the call. */
export const exampleList: RegExp =
  /(?:^|\n)[\s#*]{0,4}Examples?\b[^\n]{0,80}:\*{0,2}\n{1,2}(?:[^\n]+\n)*(?![^\n]*\b(?:I|let me|now|so)\b)[^\n]{1,99}: *$/i;

/** Returns whether a line is the label of JSON that a program sends, that the reader should copy, or that was sent before. */
export const isDataLabel = (line: string): boolean => isLabel(line) && dataLabel.test(line);
