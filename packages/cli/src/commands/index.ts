import type { Command } from 'commander';
import type { CommandContext } from '../main-command.js';
import { addCommonOptions } from '../options.js';
import { addArchitectures } from './architectures.js';
import { addBackends } from './backends.js';
import { addBench } from './bench.js';
import { addChat } from './chat.js';
import { addDevices } from './devices.js';
import { addDoctor } from './doctor.js';
import { addInspect } from './inspect.js';
import { addOps } from './ops.js';
import { addRun } from './run.js';
import { addServe } from './serve.js';

const commands = [
  addRun,
  addChat,
  addServe,
  addInspect,
  addBench,
  addDevices,
  addBackends,
  addArchitectures,
  addOps,
  addDoctor,
];

/** Adds every command, in the order in which help lists them. */
export function addCommands(program: Command, context: CommandContext): void {
  for (const add of commands) add(program, context);
  for (const command of program.commands) addCommonOptions(command);
}
