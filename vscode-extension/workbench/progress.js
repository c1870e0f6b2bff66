/**
 * Long steps on a terminal: one line when a step begins and ends, with the time it took, a sign of life in between, and
 * one paragraph when it fails. Plain Node, no packages: this runs before anything is installed.
 */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** A step failed for a reason that a person can act on. The message is the whole explanation; no stack is shown. */
export class StepFailed extends Error {
    name = 'StepFailed';
}

const SIGN_OF_LIFE_MILLISECONDS = { terminal: 1_000, log: 20_000 };

const isTerminal = process.stdout.isTTY === true;

/**
 * Runs `work` as a step called `name`. `work` may return a line that says what came out of it.
 * A failure passes through after the step has been marked as failed.
 */
export async function step(name, work) {
    const start = performance.now();
    const elapsed = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const show = text => process.stdout.write(isTerminal ? `\r\x1b[2K${text}` : `${text}\n`);
    show(`… ${name}`);
    const signOfLife = setInterval(
        () => show(`… ${name} (${elapsed()})`),
        isTerminal ? SIGN_OF_LIFE_MILLISECONDS.terminal : SIGN_OF_LIFE_MILLISECONDS.log,
    );
    try {
        const outcome = await work();
        show(`✓ ${name} (${elapsed()})${outcome ? `: ${outcome}` : ''}${isTerminal ? '\n' : ''}`);
    } catch (error) {
        show(`✗ ${name} (${elapsed()})${isTerminal ? '\n' : ''}`);
        throw error;
    } finally {
        clearInterval(signOfLife);
    }
}

/**
 * Runs a program to its end and returns what it wrote. A non-zero exit is a StepFailed that carries the output;
 * `explain` may turn the output into a better first sentence, and `onMessage` gets what the program sends. With `isPatient`
 * it leaves the processors to others, and yet comes to its end beside busy ones.
 */
export function run(command, commandArguments, options = {}) {
    const { explain = () => undefined, onMessage = () => {}, isPatient = false, ...spawnOptions } = options;
    return new Promise((resolve, reject) => {
        const child = spawn(command, commandArguments, { stdio: ['ignore', 'pipe', 'pipe'], ...spawnOptions });
        if (isPatient && child.pid !== undefined) {
            // At the lowest priority two busy programs leave next to nothing.
            setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
        }
        let output = '';
        child.stdout.on('data', data => (output += data));
        child.stderr.on('data', data => (output += data));
        child.on('message', onMessage);
        child.once('error', error => reject(new StepFailed(`"${command}" could not be started: ${error.message}`)));
        child.once('close', (code, signal) => {
            if (code === 0) {
                resolve(output);
            } else {
                const what = [command, ...commandArguments].join(' ');
                const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
                reject(new StepFailed([output.trimEnd(), explain(output) ?? `"${what}" ${how}.`].join('\n\n').trim()));
            }
        });
    });
}

/** The whole of a command: runs `main`, turns a failure into a message and a non-zero exit code. */
export async function runMain(main) {
    try {
        await main();
    } catch (error) {
        process.stderr.write(`\n${error instanceof StepFailed ? error.message : error.stack}\n`);
        process.exitCode = 1;
    }
}
