import { compileOptions, type OptionLists, type OptionTable } from './read-options.ts';

/** The effect of an option on a language runtime: harmless (`plain`), passes code, or loads code. */
export type LanguageEffect = 'plain' | 'code' | 'loads' | 'module';

/** A program that runs a programming language. */
export interface Language {
  readonly options: OptionTable<LanguageEffect>;
  /** Matches further words that are harmless. */
  readonly plain: RegExp | undefined;
  /** Matches a first operand that is code or a command that takes code. */
  readonly runs: RegExp | undefined;
  /** Matches commands that options and a script may follow. */
  readonly commands: RegExp | undefined;
}

interface LanguageEntry extends OptionLists<LanguageEffect> {
  readonly names: string;
  readonly pattern?: RegExp;
  readonly runs?: RegExp;
  readonly commands?: RegExp;
}

/**
 * Programs that run a language of their own. An option that is not listed makes a line uncertain, so list only options
 * that are known to be harmless under `plain`.
 */
const entries: readonly LanguageEntry[] = [
  {
    names: 'python ipython bpython ptpython pypy jython pythonw micropython py',
    code: '-c=',
    module: '-m=',
    plain:
      '-b -B -d -E -h -I -O -P -q -s -S -u -v -V -W= -X= -? --version --help --help-all --help-env --check-hash-based-pycs=',
  },
  {
    names: 'perl',
    code: '-e= -E=',
    loads: '-M= -m=',
    plain: '-0# -a -c -C# -F= -h -i? -I= -l# -n -p -s -S -t -T -u -U -v -V? -w -W -X --version --help',
  },
  {
    names: 'ruby jruby truffleruby mruby',
    code: '-e=',
    loads: '-r=',
    plain:
      '-0# -a -c -C= -E= -F= -h -i? -I= -K? -l -n -p -s -S -T# -v -w -W? -y --version --verbose --help --disable= --enable= --jit --yjit --encoding=',
  },
  {
    names: 'node nodejs iojs',
    code: '-e= --eval= -p= --print= -pe=',
    loads: '-r= --require= --import= --loader= --experimental-loader= --test-reporter= --test-global-setup=',
    plain:
      '-v -h -c -C= --version --help --check --conditions= --input-type= --env-file= --env-file-if-exists= --max-old-space-size= --max-semi-space-size= --stack-size= --test-name-pattern= --test-concurrency= --test-timeout= --unhandled-rejections= --title= --run=',
    pattern:
      /^--(?:no-|trace-|enable-|max-|test(?:$|-only|-force|-skip|-update|-shard)|watch|preserve-|throw-|expose-gc|expose_gc|stack-trace-limit|experimental-(?:strip|transform|vm|wasm|sqlite|test-(?:coverage|module-mocks)|detect|require|json|import-meta|websocket|global|permission|print|specifier|webstorage)|permission|allow-|abort-on|inspect(?:-brk|-wait)?$|cpu-prof|heap-prof|openssl-legacy|dns-result|harmony|pending-deprecation|use-|verify-base|report-on|track-heap|jitless|prof$)/,
  },
  {
    names: 'bun',
    code: '-e= --eval= -p= --print=',
    loads: '-r= --preload= --require= --import=',
    plain:
      '-v -h -b -i -g -y -d -D -w -t= -c= --version --revision --help --bun --hot --watch --silent --if-present --filter= --cwd= --smol --no-install --test-name-pattern= --timeout= --coverage --bail --env-file= --frozen-lockfile --production --dev --global --exact --force --outdir= --outfile= --target= --minify --only --todo --compile --save-text-lockfile --rerun-each= --update-snapshots --reporter= --reporter-outfile=',
    runs: /^repl$/,
    commands: /^(?:run|test)$/,
  },
  {
    names: 'deno',
    loads: '--preload= --import= --require=',
    plain: '-A -q -r -N -R -W -E -S -I -P --quiet --reload --version --help -V -h -c= --config= -L= --log-level=',
    pattern:
      /^--(?:allow|deny|no|unstable|check|watch|frozen|lock|cached|node-modules|import-map|inspect|coverage|fail-fast|filter|parallel|permit|port|host|env|seed|strace|trace|v8|ext|minify|output|include|exclude|target|json|fix|rules|ignore|doc|lint|line-width|indent|single|prose|use-tabs|shuffle|reporter|junit|clean)/,
    runs: /^(?:eval|repl|jupyter)$/,
    commands: /^(?:run|test|serve|bench|check|compile|x)$/,
  },
  {
    names: 'tsx ts-node esno babel-node swc-node coffee ts-node-esm jiti sucrase-node vite-node',
    code: '-e= --eval= -p= --print= -pe=',
    loads: '-r= --require= --import= --loader= -C= --compiler=',
    plain:
      '-v -h -T -P= --project= --transpile-only --files --version --help --esm --swc --tsconfig= --watch --no-cache --no-warnings --enable-source-maps --env-file= --test --max-old-space-size= --clear-screen=',
    commands: /^watch$/,
  },
  {
    names: 'lua luajit texlua luau',
    code: '-e=',
    loads: '-l= -j=',
    plain: '-E -v -W -O= -b --version --help',
  },
  {
    names: 'php php-cgi php-fpm phpdbg hhvm',
    code: '-r= -R= -B= -E= --run= --process-code= --process-begin= --process-end=',
    plain:
      '-h -i -l -m -n -q -s -v -w -C -H -S= -t= --version --help --syntax-check --modules --info --server= --docroot=',
    pattern:
      /^-d(?:memory_limit|xdebug\.mode|display_errors|error_reporting|max_execution_time|date\.timezone|opcache\.enable(?:_cli)?)=[\w/-]*$/,
  },
  {
    names: 'r rscript littler rterm',
    code: '-e=',
    plain:
      '-q --vanilla --no-save --no-restore --slave --no-echo --quiet --silent --version --help --verbose --no-environ --no-site-file --no-init-file',
  },
  {
    names: 'julia',
    code: '-e= -E= --eval= --print=',
    loads: '-L= --load=',
    plain:
      '-v -h -q -t= -p= -O# --project= --threads= --version --help --quiet --color= --startup-file= --optimize= --depwarn= --check-bounds=',
  },
  { names: 'swift', code: '-e=', pattern: /^-[^e]/, runs: /^repl$/ },
  { names: 'tclsh wish jimsh', plain: '-encoding=' },
  {
    names:
      'irb pry erb psysh zx gjs cjs electron nbb planck lumo joker babashka picoc cling amm kscript yaegi gore bpftrace stap',
    code: '-e= -c= -n= --eval= --command= --exec=',
    loads: '-r= -l= --require=',
    plain: '-v -h --version --help -q --quiet -s --sandbox -T= --trim-mode=',
  },
  { names: 'expect', code: '-c=', plain: '-v -d -D= -b -i -n -N --' },
  { names: 'osascript', code: '-e=', plain: '-s= -l=' },
  {
    names: 'ghc ghci runghc runhaskell',
    code: '-e=',
    plain: '--make --version --help -o= -O# -i? -v# -c -threaded -Wall -Werror',
  },
  {
    names: 'scala scala3 scala-cli groovy kotlin kotlinc groovysh',
    code: '-e= --execute-script=',
    plain: '-version --version -help --help -cp= -classpath= --classpath= -d= -o= -include-runtime -script=',
    runs: /^repl$/,
    commands: /^(?:run|compile|test|fmt)$/,
  },
  {
    names: 'elixir iex',
    code: '-e= --eval= --rpc-eval=',
    loads: '-r= --require= -pr= -pa= -pz=',
    plain: '-v --version --help -S= --no-halt --sname= --name=',
  },
  {
    names: 'mix',
    code: '-e= --eval=',
    plain: '--version --help -v',
    pattern: /^--(?!ev)[a-z-]+$/,
    runs: /^(?:eval|rpc)$/,
    commands: /^run$/,
  },
  { names: 'erl', code: '-eval= -run= -s=', plain: '-noshell -noinput -version -sname= -name= -pa= -boot=' },
  {
    names: 'guile racket sbcl clisp ecl csi gosh gsi mit-scheme chez scheme csc chibi-scheme ccl abcl lein-exec',
    code: '-e= -c= -x= -p= -ex= --eval= --eval-print= -eval=',
    plain: '-v --version --help -q --quiet --noinform --non-interactive --script= -s= -b',
  },
  {
    names: 'clojure clj bb lein',
    code: '-e= --eval= -M:e=',
    loads: '-i= --init= -m= --main=',
    plain: '--version --help -V -P -h',
    runs: /^(?:repl|run)$|^\(/,
  },
  {
    names: 'octave octave-cli matlab scilab scilab-cli',
    code: '--eval= -batch= -r= -e=',
    plain: '-q --quiet --silent --no-gui --no-window-system --version --help -W -H -nodisplay -nosplash',
  },
  {
    names: 'maxima gp sage magma gap',
    code: '--batch-string= -r= -c= -s= --run-string=',
    plain: '-q --quiet --very-quiet --version --help -b= --batch=',
  },
  { names: 'gnuplot', code: '-e=', plain: '-p --persist --version --help -V -h' },
  { names: 'jshell jrunscript jjs beanshell bsh', code: '-e= -R=', plain: '-v --version -version --help -h -s -q' },
  {
    names: 'dotnet-script fsi fsharpi csharp',
    code: '--exec= --use= -e= --eval= --load=',
    plain: '--version --help -h -c= --nologo --quiet',
    runs: /^eval$/,
  },
  {
    names: 'powershell pwsh',
    plain: '-version --version -help -noprofile -nologo -noninteractive -nop -file= -f= -executionpolicy= -ep=',
  },
  {
    names: 'crystal nim v',
    code: '--eval= -e=',
    plain: '--version --help -v -h',
    runs: /^(?:eval|e|play|repl|secret|i)$/,
    pattern: /^--(?!eval)[\w-]+(?:[:=][\w./-]*)?$/,
  },
  { names: 'raku perl6 rakudo', code: '-e=', loads: '-M=', plain: '-c -v -V -n -p -I= --version --help' },
  {
    names: 'ocaml utop ocamlscript',
    code: '-e=',
    loads: '-init=',
    plain: '-version --version -help --help -I= -w= -nopromptcont -noprompt',
  },
  {
    names: 'rdmd',
    code: '--eval= --loop=',
    plain: '--help --version',
    pattern: /^-(?:O|g|release|unittest|I[\w./]*)$/,
  },
  {
    names: 'emacs emacsclient',
    code: '--eval= -e= -eval= --execute= -f= --funcall= -funcall=',
    loads: '-l= --load= -load= --script= -script=',
    plain: '-q -Q -nw --no-window-system --version --help -t -c -n --batch -batch',
  },
  { names: 'rust-script evcxr irust', code: '-e= --expr= --loop=', plain: '--version --help --test --debug' },
  { names: 'tcc', code: '-run=', plain: '-o= -c -g -I= -L= -l= -D= -E -v --version -w' },
  { names: 'm4', plain: '-P -E -Q -s -D= -U= -I= --prefix-builtins --version --help --define= --include=' },
  { names: 'dc', code: '-e= --expression=', plain: '--version --help -V -h' },
  {
    names: 'gdb gdb-multiarch lldb jdb cgdb rust-gdb rust-lldb pdb ipdb dlv',
    code: '-ex= -iex= -x= -ix= --eval-command= --init-eval-command= --command= --init-command= -o= -O= -s= -S= -k= -K= --one-line= --one-line-before-file= --one-line-on-crash= --source= --source-before-file= -c= -P -r',
    plain: '-q --quiet -batch --batch --version --help -n --nx --tui -p= --pid= --args -v -h',
  },
  {
    names:
      'newlisp picolisp gforth io pike rexx regina spidermonkey js d8 qjs quickjs rhino duk boa mujs chakra jsc xst escript swipl gprolog scryer-prolog squirrel haxe hy hylang fennel janet elvish nu xonsh wolframscript wolfram',
    code: '-e= -c= --eval= -g= -t= -i= -code= -l=',
    plain: '--version --help -v -h',
  },
];

const languages: ReadonlyMap<string, Language> = new Map(
  entries.flatMap(({ names, pattern, runs, commands, plain = '', code = '', loads = '', module = '' }) => {
    const options = compileOptions<LanguageEffect>({ plain, code, loads, module });
    return names.split(' ').map((name) => [name, { options, plain: pattern, runs, commands }] as const);
  }),
);

const version =
  /(?:@(?:latest|lts|next)|[-@]?v?\d+(?:\.\d+)*[a-z]*(?:-(?:dbg|intel64|arm64|x86_64-linux-gnu|x86_64))?)$/;

/** Returns the name of a program without its version, such as `python` for `python3.11`. */
export function withoutVersion(program: string): string {
  return /\d|@/.test(program) ? program.replace(version, '') : program;
}

/**
 * Returns the language that a program runs, regardless of its version, or undefined if the program is not a language
 * runtime.
 */
export function languageOf(program: string): Language | undefined {
  return languages.get(program) ?? languages.get(withoutVersion(program));
}
