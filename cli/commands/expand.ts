/**
 * `orbit expand`: the model as a filter for searches by other programs. States come in, one in a line, and the
 * representatives of their successors go out; state-filter.ts has the form of what is written.
 */
import { createHash } from 'node:crypto';
import type { Expansion } from '../../engine/verdict/expansion.js';
import { toDocumentParameters, toSimulateDocument } from '../../language-server/documents.js';
import { type LinearizedModel, reportProblems } from '../analysis.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { expansionOfFile } from '../expansion-of-file.js';
import type { CommandIo } from '../io.js';
import type { ExpandInvocation } from '../options/invocation.js';
import { checkOutput, styleFor, writeJson } from '../output.js';
import { bytesOf, digitsOf } from '../packed-states.js';
import { StateFilter, readPath, statesError } from '../state-filter.js';
import { formatSimulation, formatSimulationInALine } from '../text/simulation.js';
import { VERSION } from '../version.js';

/**
 * Ends with 0 once everything is answered, whatever the verdicts; with `--run` as `orbit simulate`. It ends with 3 if
 * representatives are not unique, or instances are too few.
 */
export async function expand(invocation: ExpandInvocation, io: CommandIo): Promise<ExitCode> {
    const { file, certificateFile, verdictsFile, expectedIdentity, isInitial, isIdentity, isRun } = invocation;
    if (file === '-' && !isInitial && !isIdentity) {
        throw new CallError('call/file', 'standard input is for states here: name the file of the model');
    }
    if (verdictsFile !== undefined) {
        await checkOutput(verdictsFile, [file, certificateFile], io);
    }
    const made = await expansionOfFile(invocation, io);
    if (typeof made === 'number') {
        return made;
    }
    const { expansion, linearized } = made;
    const { model, loaded } = linearized;
    const identity = isIdentity || expectedIdentity !== undefined ? identityOf(expansion, model.name) : '';
    if (expectedIdentity !== undefined && expectedIdentity !== identity) {
        throw new CallError('call/identity', describeDifference(identity, expectedIdentity));
    }
    if (isIdentity) {
        printIdentity(identity, expansion, linearized, invocation, io);
        return EXIT.holds;
    }
    if (isRun) {
        return followPath(expansion, linearized, invocation, io);
    }
    const filter = new StateFilter(expansion, invocation, io);
    const problem = isInitial ? await filter.writeInitialStates() : await filter.expandInput();
    if (problem !== undefined) {
        const exitCode = problem.code.startsWith('limit/') ? EXIT.undecided : EXIT.wrong;
        await reportProblems(loaded, [problem], exitCode, invocation, io);
        return exitCode;
    }
    return EXIT.holds;
}

/** The identity that states belong to: `MODEL:VERSION:DIGEST`. */
function identityOf(expansion: Expansion, model: string): string {
    const digest = createHash('sha256').update(`${VERSION}\n${expansion.identity()}`).digest('hex');
    return `${model}:${VERSION}:${digest}`;
}

function describeDifference(identity: string, expected: string): string {
    const [model, version] = identity.split(':');
    const [otherModel, otherVersion, digest] = expected.split(':');
    if (digest === undefined) {
        return `'${expected}' is no identity: \`orbit expand MODEL --identity\` prints one`;
    }
    if (otherModel !== model) {
        return `these states are of the model '${otherModel}', not of '${model}'`;
    }
    if (otherVersion !== version) {
        return `these states were made by Orbit ${otherVersion}, and this is ${version}`;
    }
    return (
        'these states are of another expansion: the model has changed since, or the parameters, the properties, the ' +
        'passes, the instances, the symmetries or `--por` are others'
    );
}

function printIdentity(
    identity: string,
    { layout, order }: Expansion,
    { model }: LinearizedModel,
    { json }: ExpandInvocation,
    io: CommandIo,
): void {
    if (!json) {
        io.stdout.write(`${identity}\n`);
        return;
    }
    const [digits, bytes] = [digitsOf(layout), bytesOf(layout)];
    const params = toDocumentParameters(model);
    writeJson({ schemaVersion: 1, model: model.name, params, identity, digits, bytes, order: order.toString() }, io);
}

/** A run of the model as written, through the states on standard input. */
async function followPath(
    expansion: Expansion,
    { model, loaded }: LinearizedModel,
    { json, quiet, color, por }: ExpandInvocation,
    io: CommandIo,
): Promise<ExitCode> {
    const path = await readPath(expansion, io);
    const run = io.finish(() => expansion.follow(path), Infinity);
    if (run.kind === 'broken') {
        throw statesError(
            `line ${run.index + 1}`,
            run.index === 0
                ? 'it represents no initial state'
                : `no step${por === 'off' ? '' : ' that is taken'} leads to it from line ${run.index}`,
        );
    }
    const { trace, finding } = run;
    const end = finding === undefined ? { kind: 'steps' as const } : { kind: 'violated' as const, finding };
    const document = toSimulateDocument(model, undefined, { kind: 'walk', trace, end }, loaded.fileOf);
    if (json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, color, io.environment);
        io.stdout.write((quiet ? formatSimulationInALine : formatSimulation)(document, style));
    }
    return finding === undefined ? EXIT.holds : EXIT.violated;
}
