import type { Command } from '../program/command.ts';
import { chat } from './chat.ts';
import { completion } from './completion.ts';
import { dispatch } from './dispatch.ts';
import { doctor } from './doctor.ts';
import { jobs } from './jobs.ts';
import { newPlugin } from './new-plugin.ts';
import { repair } from './repair.ts';
import { serve } from './serve.ts';
import { tools } from './tools.ts';
import { tour } from './tour.ts';
import { ui } from './ui.ts';
import { undo } from './undo.ts';
import { worker } from './worker.ts';

/** All commands, in the order of `--help`. */
export const commands: readonly Command[] = [
  tour,
  dispatch,
  repair,
  chat,
  tools,
  serve,
  ui,
  worker,
  jobs,
  undo,
  newPlugin,
  doctor,
  completion,
];
