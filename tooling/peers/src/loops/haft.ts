import type { MakeWork } from '@haft-tooling/measure';
import { toolCount } from '../dispatch/sample-tool.ts';
import { workOf } from './loop-shape.ts';
import { createHaftPlayer } from './play-haft.ts';

/** `runAgent` against a model that answers at once, with a listener for every event. */
const makeWork: MakeWork = (options) => workOf(options, createHaftPlayer(toolCount(options)));

export default makeWork;
