import type { Command } from '../program/command.ts';
import { dispatch } from './dispatch.ts';
import { tools } from './tools.ts';

/** Every command, in the order of `--help`. */
export const commands: readonly Command[] = [dispatch, tools];

export const tour: Command = tools;
