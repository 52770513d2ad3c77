/**
 * Files that hold secrets, by the names they usually have: globs over absolute paths, matched without regard to case; `!`
 * takes out of what the others match.
 */
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

/**
 * Files that other programs run or trust when somebody opens the folder, commits or starts a shell: a change of them acts
 * later, with that person's rights. Programs' own documents for models (`AGENTS.md` and the like) are not among them: they
 * say, but start nothing.
 */
export const trustedPathGlobs: readonly string[] = [
  '**/.git{,/**}',
  '**/.gitmodules',
  '**/{.husky,.vscode,.idea,.fleet,.zed,.devcontainer}{,/**}',
  '**/{.cursor,.claude,.codex,.gemini,.windsurf,.continue,.opencode}{,/**}',
  '**/{.mcp.json,.envrc,.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,.ripgreprc,.gdbinit,.lldbinit}',
  '**/*.code-workspace',
  '~/.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,zshrc,zprofile,zshenv,zlogin,inputrc,gitconfig}',
  '~/.ssh/{authorized_keys,config,rc,environment}',
  '~/.config/{fish,git,systemd,autostart,environment.d}/**',
  '~/Library/{LaunchAgents,LaunchDaemons}/**',
];
