import type { Command } from '../program/command.ts';
import { chat } from './chat.ts';
import { dispatch } from './dispatch.ts';
import { newPlugin } from './new-plugin.ts';
import { repair } from './repair.ts';
import { serve } from './serve.ts';
import { tools } from './tools.ts';
import { tour } from './tour.ts';
import { undo } from './undo.ts';

/** All commands, in the order of `--help`. */
export const commands: readonly Command[] = [tour, dispatch, chat, tools, serve, undo, newPlugin, repair];
