#!/usr/bin/env node
import { runProgram } from './program/run-program.ts';

process.exit(await runProgram(process.argv.slice(2), process));
