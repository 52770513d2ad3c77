/** Variables that change which program runs, or what programs do at startup. */
const changesPrograms: RegExp = new RegExp(
  `^(?:${[
    'PATH|IFS|ENV|BASH_ENV|BASH_FUNC_.*|BASH_(?:ALIASES|CMDS|ARGV0|COMPAT|LOADABLES_PATH)|EXECIGNORE|POSIXLY_CORRECT|TEXTDOMAIN(?:DIR)?',
    'SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|SHELL|HOME|XDG_CONFIG_HOME',
    'LD_.*|DYLD_.*|GCONV_PATH|GLIBC_TUNABLES|MALLOC_CONF',
    'NODE_(?:OPTIONS|PATH|REPL_EXTERNAL_MODULE)|BUN_OPTIONS|npm_config_(?:script_shell|node_options|userconfig|globalconfig|shell|git|prefix)',
    'NPM_CONFIG_(?:SCRIPT_SHELL|NODE_OPTIONS|USERCONFIG|GLOBALCONFIG|SHELL|GIT|PREFIX)',
    'PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE|WARNINGS|PLATLIBDIR)|PERL5?(?:OPT|LIB|DB|_.*)',
    'RUBY(?:OPT|LIB)|BUNDLE_GEMFILE|GEM_(?:PATH|HOME)|LUA_(?:INIT|PATH|CPATH).*|PHP_INI_SCAN_DIR|PHPRC|ERL_.*|ELIXIR_ERL_OPTIONS|R_PROFILE.*|JULIA_.*',
    'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|MAVEN_OPTS|GRADLE_OPTS|SBT_OPTS|CLASSPATH|JAVA_HOME',
    'RUSTC.*|RUSTDOC.*|RUSTFLAGS|CARGO_.*(?:WRAPPER|RUNNER|LINKER|RUSTC|RUSTFLAGS|HOME)|GOFLAGS|GOROOT|GOTOOLDIR|GOBIN',
    'CC|CXX|CPP|FC|AR|AS|CFLAGS|CXXFLAGS|LDFLAGS|GCC_EXEC_PREFIX|COMPILER_PATH|MAKE|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES',
    'GIT_(?!(?:AUTHOR|COMMITTER)_|TERMINAL_PROMPT$|OPTIONAL_LOCKS$|TRACE|LFS_SKIP_SMUDGE$|MERGE_AUTOEDIT$|DEPTH$|PROXY$).*',
    '(?:GIT_)?(?:EDITOR|PAGER)|VISUAL|MANPAGER|LESSOPEN|LESSCLOSE|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|CVS_RSH|SVN_SSH|TAR_OPTIONS',
    'OPENSSL_(?:CONF|ENGINES|MODULES)|SSL_CERT_(?:FILE|DIR)|CURL_HOME|WGETRC|AWKPATH|AWKLIBPATH|VIMINIT|EXINIT|GVIMINIT|GDBHISTFILE|HG(?:RCPATH|EDITOR|MERGE)',
    'RIPGREP_CONFIG_PATH|GREP_OPTIONS|KUBECONFIG|DOCKER_(?:HOST|CONFIG)|ANSIBLE_(?:CONFIG|LIBRARY|ROLES_PATH|COLLECTIONS.*|\\w*_PLUGINS)',
    'TERRAFORM_CONFIG|TF_CLI_.*|AWS_CONFIG_FILE|PAGER|PSQL_PAGER|PSQLRC|MYSQL_.*|SQLITE_.*|LESS|INPUTRC|TMUX_.*|SCREENRC',
  ].join('|')})$`,
);

/** Values with which such a variable has no relevant effect. */
const harmless: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:GIT_|MAN|PSQL_)?PAGER$/, /^(?:cat|less(?: -[FRSXi]+)?|more|)$/],
  [/^(?:GIT_|GIT_SEQUENCE_)?EDITOR$|^VISUAL$/, /^(?:true|:|cat)$/],
  [/^LESS$/, /^-?[FRSXiMKq]*$/],
  [
    /^NODE_OPTIONS$/,
    /^\s*(?:--(?:max[-_](?:old|semi)[-_]space[-_]size=\d+|stack-size=\d+|no-[\w-]+|trace-[\w-]+|enable-source-maps|experimental-(?:vm-modules|strip-types|transform-types|sqlite|websocket|require-module|detect-module|global-webcrypto)|unhandled-rejections=\w+|dns-result-order=\w+|openssl-legacy-provider|stack-trace-limit=\d+|throw-deprecation|pending-deprecation|expose-gc|preserve-symlinks)\s*)*$/,
  ],
  [/^PYTHONWARNINGS$/, /^[\w:,]*$/],
  [
    /^PYTHONPATH$/,
    /^(?:\.|\.\/|(?:\.\/)?(?:src|lib|app|tests?|packages\/[\w-]+))?(?::(?:\.|src|lib|\$PYTHONPATH|\$\{PYTHONPATH(?::-)?\})?)*$/,
  ],
  [
    /^RUSTFLAGS$/,
    /^(?:\s*-(?:[DAWF]\s*[\w:-]+|C\s*(?:target-cpu|opt-level|debuginfo|instrument-coverage|target-feature)(?:=[\w+,-]+)?))*\s*$/,
  ],
  [
    /^(?:JAVA|MAVEN|GRADLE|SBT)_OPTS$/,
    /^(?:\s*-(?:X(?:m[xsn]|ss)\w+|D[\w.]+(?:=[\w.]*)?|XX:[+-]?(?!On)\w+(?:=\w+)?))*\s*$/,
  ],
  [/^JAVA_HOME$/, /^\/(?:usr|opt)\/[\w./-]*$/],
  [/^GOFLAGS$/, /^(?:\s*-(?:mod|tags|count|buildvcs|v|race|trimpath)(?:=[\w,]+)?)*\s*$/],
  [/^MAKEFLAGS$/, /^-?-?j\s*\d*$/],
  [/^(?:C|CXX|LD)FLAGS$/, /^(?!.*(?:-B|plugin|wrapper|specs|-Xclang|[;|&`<>]|\$\())[^]*$/],
  [/^(?:CC|CXX|CPP|FC|AR|AS)$/, /^(?:\/usr\/bin\/)?[\w+.-]+$/],
  [/^CARGO_HOME$|^GOBIN$/, /^(?:\$HOME|~)\/[\w./-]*$/],
  [
    /^PATH$/,
    /^(?:(?:\$PATH|\$\{PATH\}|(?:\$HOME|\$\{HOME\}|~|\/root|\/(?:home|Users)\/\w+)\/(?:\.|go\/bin)[\w./-]*|\/(?:usr|opt|bin|sbin|home\/linuxbrew|snap)(?:\/[\w./-]*)?)(?::|$))+$/,
  ],
  [/^GIT_(?:CEILING_DIRECTORIES|PAGER_IN_USE)$/, /^[^]*$/],
];

/** Returns whether setting a variable changes what runs. `value` is as written, without quotes. */
export function changesWhatRuns(name: string, value: string): boolean {
  if (!changesPrograms.test(name)) return false;
  if (name !== 'PATH' && name !== 'CARGO_HOME' && name !== 'GOBIN' && name !== 'PYTHONPATH' && /[$`]/.test(value))
    return true;
  if (value.includes('..')) return true;
  // Expands `$PATH` to its current value.
  const own = process.env['PATH'];
  if (name === 'PATH' && own !== undefined && own !== '') return !isHarmless(name, value.replace(own, '$PATH'));
  return !isHarmless(name, value);
}

function isHarmless(name: string, value: string): boolean {
  return harmless.some(([names, values]) => names.test(name) && values.test(value));
}
