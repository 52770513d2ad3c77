import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { isOpenProgram } from './awk-program.ts';
import { isOpenScript } from './sed-script.ts';

describe('a sed script', () => {
  it.each([
    '1e date',
    '/x/e',
    '$!e date',
    '/x/Ie date',
    '0,/x/e date',
    '1~2e date',
    '\\,x,e date',
    's/x/date/e',
    's/x/date/2e',
    's,x,date,ge',
    'sexedatee',
    's/[/]/x/e',
    's/[/]p;#/date/e',
    's/a\\/b/x/e',
    '/a/,/b/{s/x/date/e}',
    'y/abc/def/;1e date',
    'a\\\nx\ne date',
    'wout',
    's/x/y/w out',
    '1r x',
    '1R x',
    '1W x',
    's/x',
    '/x',
    's\nx\ny\ne',
  ])('%j may run a command, or read or write files', (script) => {
    expect(isOpenScript(script)).toBe(true);
  });

  it.each([
    '/start/,/end/ s/white/write/',
    's/([a-z]+)e/\\1/',
    '/a/,/b/p',
    '1,50p',
    '20p;30p',
    's#x/y#z#g',
    '$d',
    's/\\s*$//',
    'a hello we write',
    'i\\\nwe are',
    '1!G;h;$!d',
    ':a;N;$!ba;s/\\n/ /g',
    '10,20{/x/!d}',
    '$!N;P;D',
    's/[\\/]/_/g',
    '/^[[:space:]]*#/d',
    's/rm -rf/trash/',
    's|[^:]*:||',
    '',
  ])('%j only edits', (script) => {
    expect(isOpenScript(script)).toBe(false);
  });

  it.each(['s/a/b/;', '[', 's/[a', '\\', '/a/,', '{', 'a\\\n'])(
    'takes time proportional to the number of repetitions of %j',
    async (unit) => {
      const read = (script: string): void => void isOpenScript(script);
      expect(await growthOf((length) => unit.repeat(length), read, 2_000)).toBeLessThan(linearGrowth);
    },
  );
});

describe('an awk program', () => {
  it.each([
    'BEGIN{system("date")}',
    '{print $1 > $2}',
    '{print >> "x"}',
    '{print($1)>"x"}',
    '{print $1, ($2 > 3) > "x"}',
    '{ $1 = $2 > 3; print > "b" }',
    '/a\\/b/{system("d")}',
    '{print | "sh"}',
    '{print |& "sh"}',
    '"date" | getline',
    'BEGIN{f="system"; @f("date")}',
    '@load "x"',
    '{ print /x>y/ ; print "a" > "b" }',
    '{ x = 1 / 2; print > "/b" }',
    'a=1\n/"/{print>"f";x="y";z="}#"',
    'print /"/, x > "f" , /"/',
    '{print a,\n b > "f"}',
    'BEGIN{ARGV[1]="x";ARGC=2}{print}',
    'BEGIN{print ENVIRON["HOME"]}',
    '{print "a',
    '/a',
  ])('%j may do more than filter', (program) => {
    expect(isOpenProgram(program)).toBe(true);
  });

  it.each([
    '$3 > 5',
    '$2 >= 10 && $3 < 4 {print $1}',
    '{ sum += $1 } END { print sum / NR }',
    'length($0) > 120 { print FILENAME ":" FNR }',
    '!seen[$0]++',
    '{ if ($1 > max) max = $1 } END { printf "%d\\n", max }',
    '/a|b/{print}',
    '{print ($1 > 2)}',
    '{gsub(/"/,"");print}',
    '{split($0,a,/[|]/); print a[1]}',
    '$1 ~ /x>y/ || $2>1',
    '{print $1/2, $3}',
    '$1 == "a" { print "x > y | z" }',
    'NR > 1 {print}; $2 > 1',
  ])('%j filters', (program) => {
    expect(isOpenProgram(program)).toBe(false);
  });

  it.each(['$1>2;', '/', '"', '"a"', '[', 'a\n/', '('])(
    'takes time proportional to the number of repetitions of %j',
    async (unit) => {
      const read = (program: string): void => void isOpenProgram(program);
      expect(await growthOf((length) => unit.repeat(length), read, 2_000)).toBeLessThan(linearGrowth);
    },
  );
});
