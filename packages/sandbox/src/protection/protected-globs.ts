/** Files that usually hold secrets: globs for absolute paths, matched without regard to case. `!` marks exceptions. */
export const secretPathGlobs: readonly string[] = [
  '**/.env',
  '**/.env.*',
  '!**/.env.{example,sample,template,dist,defaults}',
  '**/?*.{pem,key,p12,pfx,jks,keystore,kdbx,ovpn}',
  '**/id_{rsa,dsa,ecdsa,ed25519}*',
  '!**/*.pub',
  '**/.ssh/id*',
  '**/.aws/credentials',
  '**/.aws/sso/**',
  '**/.azure/*token*',
  '**/.config/gcloud/{credentials.db,application_default_credentials.json,legacy_credentials/**}',
  '**/.kube/config',
  '**/.docker/config.json',
  '**/.gnupg/**',
  '**/.password-store/**',
  '**/{.netrc,_netrc,.git-credentials,.pgpass,.pypirc,.vault-token,.htpasswd}',
  '**/.config/{gh/hosts.yml,op/**}',
  '**/*.keychain{,-db}',
  '**/1[pP]assword*/**',
];

/** Paths that other programs run or trust, and the reason. */
export interface TrustedGroup {
  readonly reason: string;
  /** Files and directories by name, at any depth. A `/` separates names. A directory includes its content. */
  readonly names?: readonly string[];
  /** Names below the home directory only. */
  readonly home?: readonly string[];
  /** Suffixes of file names. */
  readonly suffixes?: readonly string[];
}

/**
 * Files that other programs run or trust when a user opens or enters a directory, commits, or starts a shell. A change
 * of such a file takes effect later, with the rights of that user. Tools, jails and permission share this list.
 *
 * Not included are files that a user runs explicitly, reads first, or that run elsewhere: sources and build files
 * (`package.json`, `Makefile`, `pnpm-workspace.yaml`), documents for models (`AGENTS.md`), CI workflows
 * (`.github/workflows`), and files that refer to programs without defining them (`.gitattributes`, `.editorconfig`).
 */
export const trustedPathGroups: readonly TrustedGroup[] = [
  {
    reason: 'git runs the hooks, filters and commands named there',
    names: ['.git', '.gitmodules'],
    home: ['.gitconfig', '.config/git'],
  },
  {
    reason: 'hook managers run the commands listed there at the next commit',
    names: [
      '.husky',
      '.githooks',
      '.pre-commit-config.yaml',
      '.pre-commit-config.yml',
      ...['', '-local'].flatMap((local) =>
        ['', '.'].flatMap((dot) => ['yml', 'yaml', 'toml', 'json'].map((type) => `${dot}lefthook${local}.${type}`)),
      ),
      '.overcommit.yml',
      '.simple-git-hooks.json',
      '.lintstagedrc',
      '.lintstagedrc.json',
    ],
  },
  {
    reason: 'editors run the tasks, language servers and scripts set there when the directory is opened',
    names: [
      '.vscode',
      '.vscode-insiders',
      '.vscodium',
      '.idea',
      '.fleet',
      '.zed',
      '.helix',
      '.nova',
      '.vs',
      '.theia',
      '.lapce',
      '.exrc',
      '.vimrc',
      '.nvimrc',
      '.nvim.lua',
      '.lvimrc',
      '.vimspector.json',
      '.dir-locals.el',
      '.dir-locals-2.el',
    ],
    suffixes: ['.code-workspace', '.sublime-project', '.sublime-workspace'],
    home: [
      '.vim',
      '.gvimrc',
      '.emacs',
      '.emacs.el',
      '.emacs.d',
      '.config/nvim',
      '.config/emacs',
      '.config/helix',
      '.config/zed',
    ],
  },
  {
    reason: 'development containers are built and started with the commands listed there',
    names: ['.devcontainer', '.devcontainer.json', '.gitpod.yml', '.idx'],
  },
  {
    reason: 'agents start the servers, hooks and commands set there without asking again',
    names: [
      '.cursor',
      '.claude',
      '.claude.json',
      '.mcp.json',
      '.mcp',
      '.codex',
      '.gemini',
      '.windsurf',
      '.codeium',
      '.continue',
      '.continuerc.json',
      '.opencode',
      'opencode.json',
      'opencode.jsonc',
      '.aider.conf.yml',
      '.aider.model.settings.yml',
      '.roo',
      '.roomodes',
      '.cline',
      '.clinerules',
      '.kilocode',
      '.kiro',
      '.amazonq',
      '.qwen',
      '.trae',
      '.augment',
      '.factory',
      '.junie',
      '.goose',
      '.crush.json',
      'crush.json',
      '.openhands',
      '.agents',
      '.github/hooks',
    ],
    home: ['.config/opencode', '.config/goose', '.config/crush', '.config/github-copilot'],
  },
  {
    reason: 'programs with Haft run the jobs and tools there, and apply the answers of people',
    names: ['.haft'],
  },
  {
    reason: 'package managers load code, packages and programs from the sources set there',
    names: [
      '.npmrc',
      '.yarnrc',
      '.yarnrc.yml',
      '.yarn/releases',
      '.yarn/plugins',
      '.yarn/sdks',
      '.pnpmfile.cjs',
      '.pnpmfile.mjs',
      'bunfig.toml',
      '.cargo/config',
      '.cargo/config.toml',
      '.bundle/config',
      '.mvn',
    ],
    home: ['.gradle/init.d', '.config/pip', '.pip', '.gemrc', '.condarc', '.cargo/bin', '.cargo/env'],
  },
  {
    reason: 'shells and version managers read them when a user enters the directory',
    names: ['.envrc', 'mise.toml', '.mise.toml', 'mise.local.toml', '.mise.local.toml', '.mise', '.tool-versions'],
    home: ['.config/mise', '.config/direnv', '.asdfrc'],
  },
  {
    reason: 'debuggers and interpreters run them when started in the directory',
    names: [
      '.gdbinit',
      '.lldbinit',
      '.pdbrc',
      '.pdbrc.py',
      '.irbrc',
      '.pryrc',
      '.Rprofile',
      '.ghci',
      '.iex.exs',
      '.ocamlinit',
      '.octaverc',
      '.perldb',
      '.ripgreprc',
    ],
  },
  {
    reason: 'the next shell, login or terminal runs them',
    home: [
      'bashrc',
      'bash_profile',
      'bash_login',
      'bash_logout',
      'bash_aliases',
      'profile',
      'inputrc',
      'zshrc',
      'zprofile',
      'zshenv',
      'zlogin',
      'zlogout',
      'kshrc',
      'mkshrc',
      'cshrc',
      'tcshrc',
      'login',
      'xprofile',
      'xinitrc',
      'xsession',
      'xsessionrc',
      'pam_environment',
      'tmux.conf',
      'screenrc',
      'oh-my-zsh',
      'curlrc',
      'wgetrc',
    ]
      .map((name) => `.${name}`)
      .concat(
        ['authorized_keys', 'config', 'rc', 'environment'].map((name) => `.ssh/${name}`),
        ['fish', 'systemd', 'autostart', 'environment.d', 'tmux', 'zsh'].map((name) => `.config/${name}`),
        ['bin', '.local/bin', '.local/share/systemd', '.local/share/applications'],
        ['Library/LaunchAgents', 'Library/LaunchDaemons'],
      ),
  },
];

/** {@link trustedPathGroups} as globs for absolute paths, with `~/` for the home directory. */
export const trustedPathGlobs: readonly string[] = trustedPathGroups.flatMap(
  ({ names = [], home = [], suffixes = [] }) => [
    ...names.map((name) => `**/${name}{,/**}`),
    ...suffixes.map((suffix) => `**/*${suffix}`),
    ...home.map((name) => `~/${name}{,/**}`),
  ],
);
