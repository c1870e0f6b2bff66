/** One call of the command line. Every error is reported here, with `--json` as the one document on stdout. */
import { OperationCancelled } from '../engine/common/work-limit.js';
import { parseArguments, wantedFormat } from './options/arguments.js';
import type { Invocation } from './options/invocation.js';
import { CallError, UndecidedError } from './call-error.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { type CommandIo, TimeIsOver } from './io.js';
import { isForPrograms, styleFor, toCallProblem, writeJson, writeReport } from './output.js';

/** `words` are the arguments after `orbit`. Never throws. */
export async function run(words: readonly string[], io: CommandIo): Promise<ExitCode> {
    try {
        return await runCommand(parseArguments(words), io);
    } catch (error) {
        if (error instanceof CallError) {
            return await reportFailure(EXIT.wrong, error.code, error.message, error.file, words, io);
        }
        if (error instanceof UndecidedError) {
            return await reportFailure(EXIT.undecided, error.code, error.message, '', words, io);
        }
        if (error instanceof OperationCancelled) {
            return await reportFailure(EXIT.interrupted, 'call/interrupted', 'interrupted', '', words, io);
        }
        if (error instanceof TimeIsOver) {
            const message = 'the time was over before there was a result';
            return await reportFailure(EXIT.undecided, 'limit/time', message, '', words, io);
        }
        return await reportDefect(error, words, io);
    }
}

async function runCommand(invocation: Invocation, io: CommandIo): Promise<ExitCode> {
    switch (invocation.command) {
        case 'print':
            io.stdout.write(invocation.text);
            return EXIT.holds;
        case 'check':
            return (await import('./commands/check.js')).check(invocation, io);
        case 'symmetry':
            return (await import('./commands/symmetry.js')).symmetry(invocation, io);
        case 'explore':
            return (await import('./commands/explore.js')).explore(invocation, io);
        case 'simulate':
            return (await import('./commands/simulate.js')).simulateFile(invocation, io);
        case 'mutate':
            return (await import('./commands/mutate.js')).mutate(invocation, io);
        case 'match':
            return (await import('./commands/match.js')).matchLogs(invocation, io);
        case 'tests':
            return (await import('./commands/tests.js')).testModel(invocation, io);
        case 'verify':
            return (await import('./commands/verify.js')).verify(invocation, io);
        case 'import':
            return (await import('./commands/import.js')).importModel(invocation, io);
        case 'format':
            return (await import('./commands/format.js')).formatFiles(invocation, io);
        case 'lsp':
            io.startLanguageServer();
            return EXIT.holds;
        case 'mcp':
            return (await import('./commands/mcp.js')).mcp(io);
        case 'completion':
            return (await import('./commands/completion.js')).printCompletion(invocation.shell, io);
        case 'export':
            return (await import('./commands/export.js')).exportForm(invocation, io);
        case 'expand':
            return (await import('./commands/expand.js')).expand(invocation, io);
    }
}

async function reportFailure(
    exitCode: ExitCode,
    code: string,
    message: string,
    file: string,
    words: readonly string[],
    io: CommandIo,
): Promise<ExitCode> {
    const format = wantedFormat(words);
    const problem = toCallProblem(code, message, file);
    if (format === 'json') {
        writeJson({ schemaVersion: 1, problems: [problem] }, io);
    } else if (isForPrograms(format)) {
        const { suiteOfCall } = await import('./report/report.js');
        await writeReport([suiteOfCall(problem, exitCode === EXIT.wrong)], exitCode, format, io);
    } else {
        const { colors } = styleFor(io.stderr, 'auto', io.environment);
        io.stderr.write(`${colors.bold('orbit')}: ${colors.red(message)}\n`);
    }
    return exitCode;
}

/** Reports a defect of Orbit. The stack is only printed if ORBIT_DEBUG is set. */
async function reportDefect(error: unknown, words: readonly string[], io: CommandIo): Promise<ExitCode> {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `this is a defect of Orbit, not of your model: ${reason}`;
    await reportFailure(EXIT.defect, 'internal/defect', message, '', words, io);
    if (wantedFormat(words) === 'text') {
        io.stderr.write('Please report it, with the model and this command.\n');
    }
    const debug = io.environment['ORBIT_DEBUG'];
    if (debug !== undefined && debug !== '' && error instanceof Error) {
        io.stderr.write(`${error.stack ?? ''}\n`);
    }
    return EXIT.defect;
}
