import type { RunCommand } from '../run/run-command.ts';
import { gitCommandOf } from '../programs/git-command.ts';
import { compileOptions, findValues, hasOption } from '../programs/read-options.ts';
import { isInput, isOpenSed } from '../scripts/sed-script.ts';
import { isOpenAwk } from '../scripts/awk-program.ts';
import { shells } from '../programs/programs.ts';
import type { RunWord } from '../run/run-word.ts';
import { isGivenCode } from '../dangers/unknown-programs.ts';

const editors: ReadonlySet<string> = new Set('vi vim nvim view gvim ex vimdiff rvim ed red'.split(' '));
const compiler =
  /^(?:-wrapper|-f(?:pass-)?plugin|-B|-?-specs=|-Xclang|-load|-plugin|--config=|-?-ld-path|-fuse-ld=.*\/|-Wl,.*-plugin)/;

/** Words that make a program run or load something other than its name suggests, by program. */
const openWords: ReadonlyMap<string, RegExp> = new Map([
  ...'gcc g++ cc c++ clang clang++ cpp ld'.split(' ').map((name) => [name, compiler] as const),
  ['rustc', /^(?:-C)?(?:linker|link-args?)=|^-Z|^--codegen=linker/],
  ['java', /^-(?:javaagent|agentpath|agentlib|XX:On)/],
  ['javac', /^-{1,2}processor/],
  ['gradle', /^(?:-I|--init-script)/],
  ['gradlew', /^(?:-I|--init-script)/],
  ['mvn', /^exec:|executable=/],
  ['cmake', /^-P|_(?:LAUNCHER|TOOLCHAIN_FILE|INCLUDE)=/],
  // These options name the program to start, instead of its usual position among the arguments.
  ...'docker docker-compose podman podman-compose nerdctl'
    .split(' ')
    .map((name) => [name, /^--entrypoint(?:=|$)/] as const),
  ['flatpak', /^--command(?:=|$)/],
  ...'gs gsnd gsx ghostscript gswin64c rungs'
    .split(' ')
    .map((name) => [name, /^-(?:c|@?$|dNOSAFER|dDELAYSAFER)|^%pipe%|=%pipe%|^[|]|=[|]/] as const),
  ['openssl', /^-(?:engine|provider(?:-path)?)$/],
  ['nmap', /^--script/],
  ['tshark', /^-X/],
  ['wireshark', /^-X/],
  ['pandoc', /^(?:-L|-F|--lua-filter|--filter)/],
  ...'tex latex pdflatex xelatex lualatex pdftex luatex'
    .split(' ')
    .map((name) => [name, /^-{1,2}(?:shell-escape|enable-write18|lua)/] as const),
  ['latexmk', /^-(?:e|r|pdflatex|shell-escape)/],
  ['troff', /^-[a-zA-Z]*U/],
  ['groff', /^-[a-zA-Z]*U/],
  ['asciidoctor', /^(?:-r|--require)/],
  ['go', /^-$|^-{1,2}(?:toolexec|exec|vettool)(?:=|$)|-extld=|-toolexec|^(?:https?:|\/dev\/(?:stdin|fd))/],
  ['uv', /^-$/],
  ['dotnet', /^(?:eval|--exec|--use)/],
  ['stack', /^-e$|^eval$/],
  ['cargo', /^(?:--config(?:=|$)|script$|-Zscript)/],
  ...'npx bunx pnpx'
    .split(' ')
    .map((name) => [name, /^--(?:registry|script-shell|node-options|userconfig)(?:=|$)/] as const),
  ...'npm pnpm yarn'
    .split(' ')
    .map(
      (name) =>
        [
          name,
          /^(?:--(?:script-shell|node-options|userconfig|globalconfig|shell)(?:=|$)|script-shell(?:=|$)|node-options(?:=|$))/,
        ] as const,
    ),
  ['rails', /^(?:runner|r)$/],
  ['manage.py', /^shell$/],
  ...'django-admin drush wp artisan flask n98-magerun'
    .split(' ')
    .map(
      (name) =>
        [name, /^(?:shell\w*|dbshell|tinker|eval|ev|php:eval|php|dev:console|--(?:exec|require|execute)=.*)$/] as const,
    ),
  ['bundle', /^console$/],
  ['rake', /^(?:-[eEprR]|--execute|--require)/],
  ['prove', /^(?:-[eMP]|--exec|--source)/],
  ['tcpdump', /^-[a-zA-Z]*z/],
  ['hg', /^--config/],
  ['svn', /^--(?:config-option|diff-cmd|diff3-cmd|editor-cmd)/],
  ['ansible', /^(?:-[a-zA-Z]*a|--args)/],
  ['mlr', /\b(?:system|exec|tee|emit\w*|dump|print)\b.*[("|>]|^--prepipe/],
  ['curl', /^--(?:expand-|engine)/],
  ['ssh', /^-I|(?:PKCS11Provider|SecurityKeyProvider|XAuthLocation|SmartcardDevice)/i],
  ['ssh-add', /^-s/],
  ['ssh-keygen', /^-D/],
  ['gpg', /^--(?:exec-path|photo-viewer)|exec-path=/],
  ['tmux', /^(?:source(?:-file)?|-f)$/],
  ['dot', /^-l/],
  ...'convert magick'
    .split(' ')
    .map((name) => [name, /^(?:msl|mvg|ephemeral|mpr|text|caption|label):|^-script$/i] as const),
  ...'ar nm objdump strip ranlib'.split(' ').map((name) => [name, /^--plugin/] as const),
  ...'pip pip3'.split(' ').map((name) => [name, /^config$/] as const),
  ...'tex pdftex bibtex'.split(' ').map((name) => [name, /\\(?:immediate|write|input\s*\|)/] as const),
  ...'blender gimp inkscape'
    .split(' ')
    .map((name) => [name, /^(?:-P|-b|--(?:python\S*|batch|actions\S*|shell))$/] as const),
  ['w3m', /^-o$/],
  ['mutt', /^-e/],
  ['lftp', /^-[ec]/],
  ['man', /^-[a-zA-Z]*[PH]|^--(?:pager|html)/],
  ['jq', /\b(?:import|include)\s*"|\$(?:__prog_)?ENV\b|(?<![.\w"$])env\b(?!\s*[:"=])/],
  ['yq', /\b(?:load\w*|env|strenv|envsubst|eval)\s*\(|(?<![.\w"])\benvsubst\b/],
  // Database clients: commands and functions with effects outside the database.
  [
    'psql',
    /\\(?!(?:d\w*[+S]*|l\+?|x|timing|conninfo|z|sf|sv|a|t|q|encoding|h|\?)(?:\s|$))|`|\bprogram\b|\bpg_(?:read|write|ls|stat_file)|\blo_(?:import|export)\b|\bcopy\b[^]*'\s*\/|\bcreate\s+(?:or\s+replace\s+)?(?:function|extension|procedure)|\bdo\s+(?:\$|'|language)|\bload\s+(?:'|\$)|\balter\s+system\b|^(?:-\w*[oL]|--output=|--log-file=)?\||^pager=/i,
  ],
  ...'mysql mariadb mycli'
    .split(' ')
    .map(
      (name) =>
        [
          name,
          /(?:^|;|^-\w*e|^--exec?\w*=)\s*(?:system|source|tee|pager|edit)\b|\\[!.TPe]|load_file|load\s+data|into\s+(?:out|dump)file|^--(?:pager|tee|init-command|init-c|plugin)/i,
        ] as const,
    ),
  ...'sqlite3 sqlite duckdb sqlcipher spatialite litecli'
    .split(' ')
    .map(
      (name) =>
        [
          name,
          /^\s*\.(?!(?:tables?|schema|dump|headers?|mode|ind(?:exes|ices)|databases|dbinfo|quit|width|nullvalue|help|timeout|timer|stats|explain|show|separator|changes|eqp|fullschema|bail)\b)|^-{1,2}(?:init|A)|\b(?:readfile|writefile|load_extension|edit|fsdir|zipfile|read_\w+|fts3_tokenizer)\s*\(|^\s*(?:copy|install|load|attach)\b|;\s*(?:attach|copy|install|load)\b/i,
        ] as const,
    ),
  ...'mongosh mongo'.split(' ').map((name) => [name, /^--eval/] as const),
  ['clickhouse-local', /\b(?:file|url|executable)\s*\(/],
  ...'redis-cli valkey-cli keydb-cli'
    .split(' ')
    .map(
      (name) =>
        [name, /^(?:--eval|eval|evalsha|script|module|function|fcall|debug|config|slaveof|replicaof)$/i] as const,
    ),
]);

/** Clients and editors that read commands of their own from their input. */
const readsCommands: ReadonlySet<string> = new Set(
  'psql mysql mariadb sqlite3 sqlite duckdb sqlplus mongosh mongo redis-cli clickhouse-local clickhouse-client lftp ftp sftp telnet mail mailx nslookup bluetoothctl fdisk gp maxima troff groff mysqlsh mycli litecli pgcli usql sqlcmd cqlsh hive beeline spark-shell spark-sql pyspark hbase coqtop xmllint valkey-cli sqlcipher terraform tofu dhall scapy smbclient'.split(
    ' ',
  ),
);

/** Shell builtins that change the meaning of a name or a key, with the relevant options. */
const changesShell: ReadonlyMap<string, RegExp> = new Map([
  ['enable', /^-[a-z]*f/],
  ['hash', /^-[a-z]*p/],
  ['bind', /^-[a-z]*[xf]/],
  ['complete', /^-[CF]/],
  ['history', /^-[a-z]*[sr]/],
  ['mapfile', /^-[a-zA-Z]*C/],
  ['readarray', /^-[a-zA-Z]*C/],
]);

const gitSetting =
  /^(?:alias\.|core\.(?:hookspath|pager|editor|sshcommand|fsmonitor|askpass|gitproxy|attributesfile|excludesfile|worktree)|sequence\.editor|diff\.(?:external|[^=]*\.(?:textconv|command))|pager\.|credential\.|include(?:if)?\.|gpg\.|init\.templatedir|protocol\.|(?:filter|merge|difftool|mergetool|browser|man|interactive|tar|uploadpack|receive|submodule)\.|url\.|remote\.[^=]*\.(?:vcs|uploadpack|receivepack|proxy)|http\.(?:proxy|cookiefile|sslcert|sslkey)|sendemail\.)/i;

const makeFile = compileOptions({ file: '-f= --file= --makefile=' });
const makeRules = compileOptions({ rules: '-E= --eval=' });
const makesPrograms =
  /^(?:CC|CXX|CPP|LD|AR|AS|RM|MAKE|INSTALL|PYTHON|NODE|GO|SHELL)[:+?]?=(?!\/(?:usr|opt|bin)\/)[^]*\//;

/** Commands whose sole purpose is to show a password, a key or a token. */
const printsCredential =
  /^(?:gh auth token|gh auth status .*(?:-t|--show-token)|glab (?:auth|config) .*(?:-t\b|--show-token|token)|gcloud auth (?:application-default )?print-|gcloud secrets versions access|az account get-access-token|az keyvault secret show|aws configure (?:export-credentials|get \S*(?:secret|token|key))|aws (?:sts get-session-token|secretsmanager get-secret-value|ssm get-parameters? .*--with-decryption|ecr get-login-password)|git credential(?:-\w+)? (?:fill|get)|npm (?:token|config get .*(?:auth|token|password))|heroku (?:config(?!:)|auth:token)|vercel env pull|security (?:find-\S+|dump-keychain)|pass show|op (?:read|item get)|secret-tool (?:lookup|search)|bw get|vault (?:kv get|read|token)|doppler secrets|sops (?:-d|--decrypt|decrypt)|ansible-vault (?:view|decrypt)|kubectl (?:.* )?(?:get|describe) secrets?\b.*-o|kubectl config view .*--raw|gpg .*--export-secret|ssh-add -L)/;

const keepsCredentials: ReadonlySet<string> = new Set(
  'gh glab gcloud az aws git npm heroku vercel security pass op secret-tool bw vault doppler sops ansible-vault kubectl gpg ssh-add'.split(
    ' ',
  ),
);
/** A console of a framework, such as `python manage.py shell`. */
const opensConsole = /(?:manage\.py|artisan) (?:\S+ ){0,4}(?:shell\w*|dbshell|tinker)\b/;

function wordsOf({ program, args }: RunCommand): string {
  return [program, ...args.slice(0, 8).map(({ text }) => text.slice(0, 60))].join(' ');
}

/**
 * Returns why a program runs something that its words only hint at, in words for the user. Returns `undefined` for most
 * commands.
 */
export function uncertaintyOfProgram(run: RunCommand, isFed: boolean): string | undefined {
  const { program, args } = run;
  const has = (option: RegExp): boolean => args.some(({ text }) => option.test(text));
  const anything = `${program} gets commands that may do anything`;
  if (keepsCredentials.has(program) && printsCredential.test(wordsOf(run))) return `${program} prints a credential`;
  if (/^(?:php|python\d?)$/.test(program) && opensConsole.test(wordsOf(run))) return anything;
  if (editors.has(program)) {
    const isGiven = has(/^(?:-[A-Za-z]*[cSsl]|--cmd|--eval|--execute|--load|-f|--batch|\+.*)$/);
    return isGiven || isFed ? anything : undefined;
  }
  if ((program === 'less' || program === 'more') && has(/^\+(?!\d*[GgFp]?$|\/)/)) return anything;
  if (program === 'make' || program === 'gmake') return uncertaintyOfMake(args) ? anything : undefined;
  if (program === 'git') return uncertaintyOfGit(args);
  if (/^(?:g|s)?sed$/.test(program))
    return isOpenSed(run) ? `${program} gets a program that may do anything` : undefined;
  if (/^(?:[gmn]?awk|original-awk|bwk)$/.test(program))
    return isOpenAwk(run) ? `${program} gets a program that may do anything` : undefined;
  const changes = changesShell.get(program);
  if (changes && has(changes)) return `${program} changes what the shell runs`;
  if (program === 'fc') return 'fc runs earlier lines again';
  if (/^(?:nc|netcat|ncat)$/.test(program) && has(/^(?:-[a-z]*[ec]|--(?:ex|sh|lua)[\w-]*)/))
    return `${program} offers a program to others`;
  if (program === 'socat' && has(/^(?:EXEC|SYSTEM|SHELL):/i)) return 'socat offers a program to others';
  if (program === 'crontab' && !has(/^-[lr]$/)) return 'crontab schedules a command';
  if (isGivenCode(run)) return anything;
  const open = openWords.get(program);
  // Arguments after `--` are for the program that cargo runs.
  const end = program === 'cargo' ? args.findIndex(({ text }) => text === '--') : -1;
  if (open && args.some(({ text }, index) => (end === -1 || index < end) && open.test(text))) return anything;
  // A console of a framework: `rails c < x`.
  const isConsole = isFed && has(/^(?:c|console|tinker|repl|shell)$/);
  return isConsole || (readsCommands.has(program) && isFed) ? anything : undefined;
}

function uncertaintyOfMake(args: readonly RunWord[]): boolean {
  if (hasOption(args, makeRules)) return true;
  if (findValues(args, makeFile).some(({ text, nested }) => isInput(text) || nested.length > 0)) return true;
  return args.some(({ text }) => {
    const [, name = '', value = ''] = /^([\w.]+)[:+?]?=([^]*)$/.exec(text) ?? [];
    if (name === '') return false;
    if (name === 'SHELL') return !shells.has(value.replace(/^\/(?:usr\/)?bin\//, ''));
    return (
      /^(?:\.SHELLFLAGS|(?:GNU)?MAKEFLAGS|MAKEFILES|MAKE)$/.test(name) ||
      /[;|&`<>\n]|\$[({]/.test(value) ||
      makesPrograms.test(text)
    );
  });
}

function uncertaintyOfGit(args: readonly RunWord[]): string | undefined {
  const words = args.map(({ text }) => text);
  const { name, args: rest } = gitCommandOf(args);
  if (words.some((text) => /^--(?:exec-path|config-env)=/.test(text)))
    return 'git is set to run programs other than its own';
  const at = words.indexOf('config');
  const isSet = words.some(
    (text, index) =>
      gitSetting.test(text) &&
      ((at !== -1 && index > at && index < words.length - 1) || /^(?:-c|--conf\w*)$/.test(words[index - 1] ?? '')),
  );
  if (isSet || words.some((text) => /^--conf\w*=/.test(text) && gitSetting.test(text.slice(text.indexOf('=') + 1))))
    return 'git is set to run a command';
  if (words.some((text) => /(?:^|=)ext::/.test(text))) return 'git gets an address that is a command';
  if (/^(?:clone|init)$/.test(name) && rest.some(({ text }) => text.startsWith('--temp')))
    return 'git gets hooks to use';
  if (name === 'cat-file' && rest.some(({ text }) => /^--batch|^[\da-f]{4,64}$|^--(?:textconv|filters)/.test(text)))
    return 'git prints objects without showing their names';
  if (/^(?:fast-export|unpack-file|unpack-objects)$/.test(name))
    return 'git prints objects without showing their names';
  if (name === 'hash-object' && rest.some(({ text }) => text.startsWith('--stdin-p')))
    return 'git reads file names from a list';
  return undefined;
}
