/** `orbit completion`: prints a script for a shell. */
import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { zshCompletion } from '../completion/zsh.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import type { Shell } from '../options/commands.js';

const SCRIPTS: Readonly<Record<Shell, () => string>> = {
    bash: bashCompletion,
    zsh: zshCompletion,
    fish: fishCompletion,
};

export function printCompletion(shell: Shell, io: CommandIo): ExitCode {
    io.stdout.write(SCRIPTS[shell]());
    return EXIT.holds;
}
