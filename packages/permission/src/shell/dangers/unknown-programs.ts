import type { ExpandedShell, RunCommand } from '../run/run-command.ts';
import { languageOf, withoutVersion } from '../programs/languages.ts';
import { opensNothing, shells } from '../programs/programs.ts';
import type { RunWord } from '../run/run-word.ts';
import { heredocProgram } from '../parse/read-heredoc.ts';
import { isWrapper } from '../programs/wrappers.ts';

/** Programs whose arguments are never commands, in addition to the programs in other tables. */
const known: ReadonlySet<string> = new Set(
  (
    'cat tac head tail less more most bat nl od xxd hexdump hd strings file wc cksum sum md5sum sha1sum sha224sum sha256sum sha384sum ' +
    'sha512sum b2sum b3sum shasum diff colordiff delta cmp comm sdiff grep egrep fgrep zgrep rg ag ack ugrep exa eza lsd tree du cut ' +
    'uniq tr paste join fold fmt column expand unexpand rev look jq yq base64 base32 namei getfacl lsattr cp mv rm ln install touch ' +
    'chmod chown chgrp tee truncate sort split csplit shuf tsort sed gsed awk gawk mawk nawk tar bsdtar gtar zip unzip gzip gunzip ' +
    'zcat bzip2 bunzip2 xz unxz zstd 7z rsync scp sftp curl wget aria2c http https dig host nslookup ping traceroute whois nc ncat ' +
    'netcat telnet ftp openssl gpg git gh glab hub hg svn npm pnpm yarn bun corepack nvm node-gyp tsc tsserver eslint prettier biome ' +
    'vitest jest mocha ava tap playwright cypress vite webpack rollup esbuild next nuxt astro turbo nx lerna rush cargo rustc rustup ' +
    'rustfmt clippy-driver go gofmt golangci-lint staticcheck mvn mvnw gradle gradlew java javac jar dotnet msbuild nuget pip pip3 uv ' +
    'poetry pipenv pdm hatch conda mamba pytest tox nox black ruff isort flake8 mypy pylint pyright alembic uvicorn gunicorn celery ' +
    'bundle gem rake rails rspec rubocop composer phpunit phpstan artisan mix swift xcodebuild zig make gmake cmake ctest ninja meson ' +
    'bazel just gcc g++ cc c++ clang clang++ ld ar nm objdump strip ranlib ldd clang-format clang-tidy helm terraform tofu pulumi aws ' +
    'gcloud az doctl flyctl psql mysql mariadb sqlite3 redis-cli mongosh pg_dump pg_restore mysqldump createdb dropdb systemctl ' +
    'journalctl service apt apt-get apt-cache dpkg dnf yum rpm apk pacman brew port snap man info apropos code vim vi nvim nano emacs ' +
    'ed ex lsof ss netstat ip ifconfig route free vmstat iostat dmesg mount umount sync dd fdisk screencapture pbcopy pbpaste xclip ' +
    'open xdg-open source . eval trap alias kubectl docker podman shellcheck shfmt hadolint markdownlint actionlint oxlint oxfmt ' +
    'graphviz dot pandoc ffmpeg convert magick identify protoc buf grpcurl sqlc prisma tailwindcss sass postcss changeset commitlint'
  ).split(' '),
);

const maxWords = 40;
const found = new WeakMap<ExpandedShell, readonly RunCommand[]>();

/**
 * Returns commands that an unknown program may run: each suffix of its arguments, and arguments that are lines of
 * several words.
 */
export function suspectedCommands(expanded: ExpandedShell): readonly RunCommand[] {
  const before = found.get(expanded);
  if (before) return before;
  const suspected: RunCommand[] = [];
  for (const run of expanded.commands) {
    if (!run.isDirect || isKnown(run)) continue;
    for (const [index, word] of run.args.slice(0, maxWords).entries()) {
      suspected.push(toRun(run, word, run.args.slice(index + 1)));
      const [first, ...others] = /\s/.test(word.text) ? word.text.trim().split(/\s+/, maxWords) : [];
      if (first !== undefined && others.length > 0)
        suspected.push(
          toRun(
            run,
            { ...word, text: first },
            others.map((text) => ({ ...word, text })),
          ),
        );
    }
  }
  found.set(expanded, suspected);
  return suspected;
}

const takesCode =
  /^(?:-[eEc]|-{1,2}(?:e|eval\w*|exec(?:ute)?|command|code|expr\w*|python-expr|actions?|batch|script))(=|$)/;
/** Matches text that is more than a name, a number or a path. */
const looksLikeCode = /[(;|&`$!{]|^\\|^\.\w+\s/;

/** Returns whether an unknown program gets code through an option such as `-e 'system("id")'`. */
export function isGivenCode(run: RunCommand): boolean {
  if (!run.isDirect || isKnown(run)) return false;
  return run.args.some(({ text }, index) => {
    const option = takesCode.exec(text);
    if (!option) return index === 0 && startsCommand.test(text);
    return looksLikeCode.test(
      option[1] === '=' ? text.slice(text.indexOf('=') + 1) : (run.args[index + 1]?.text ?? ''),
    );
  });
}

/** A first word that is code because of its first characters: an expression in brackets, or a command after `!`. */
const startsCommand = /^(?:\(|!\s*\w)/;

/** Returns whether the program of a command is unknown. */
export function isUnknownProgram(run: RunCommand): boolean {
  return !isKnown(run);
}

function isKnown({ program, args }: RunCommand): boolean {
  return (
    program === heredocProgram ||
    known.has(program) ||
    known.has(withoutVersion(program)) ||
    opensNothing.has(program) ||
    shells.has(program) ||
    isWrapper(program, args) ||
    languageOf(program) !== undefined
  );
}

function toRun(run: RunCommand, { text }: RunWord, args: readonly RunWord[]): RunCommand {
  const program = text.slice(text.lastIndexOf('/') + 1).toLowerCase();
  return { ...run, program, written: text, isDirect: false, args };
}
