/** `orbit explore --param N=all`: the verdict for all values of a parameter. */
import { createTextOf } from '../../engine/common/source-text.js';
import { createWorkLimit } from '../../engine/common/work-limit.js';
import { toEverySizeDocument } from '../../language-server/documents.js';
import type { EverySizeDocument } from '../../language-server/document-schema.js';
import { checkPropertyNames, reportProblems } from '../analysis.js';
import { CallError } from '../call-error.js';
import { narrowFamily } from '../every-size.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import type { ExploreInvocation } from '../options/invocation.js';
import { isForPrograms, styleFor, writeFile, writeJson, writeReport } from '../output.js';
import { suiteOfEverySize } from '../report/report.js';
import { formatEverySize, formatEverySizeInALine } from '../text/every-size.js';
import { PLAIN } from '../text/layout.js';
import { formatViolationLines } from '../text/traces.js';

/** Undefined if the call is about one value after all. */
export async function exploreEverySize(
    invocation: ExploreInvocation,
    deadline: number,
    io: CommandIo,
): Promise<ExitCode | undefined> {
    const { file, properties, viewSize, maxStates, maxMemoryBytes, timeoutSeconds, json, quiet, format, traceFile } =
        invocation;
    const start = io.now();
    const family = await narrowFamily(file, invocation, io, deadline);
    if (family === undefined || typeof family === 'number') {
        return family;
    }
    checkOptions(invocation);
    const { loaded, title, narrow, sample } = family;
    checkPropertyNames(properties, sample);
    const { checkEverySize } = await import('../../family/every-size.js');
    const outcome = io.finish(
        () =>
            checkEverySize(narrow, family.family, {
                viewSize,
                properties,
                workLimit: createWorkLimit({ now: io.now, budgetMilliseconds: deadline - io.now() }),
                now: io.now,
                timeLimit: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
                maxStates,
                maxMemoryBytes: maxMemoryBytes ?? Math.floor(io.memoryBytes / 2),
            }),
        Infinity,
    );
    if ('problems' in outcome) {
        await reportProblems(loaded, outcome.problems, EXIT.wrong, invocation, io);
        return EXIT.wrong;
    }
    const document = toEverySizeDocument(
        {
            title,
            forAll: family.family.parameters.map(({ name }) => name),
            outcome,
            constraint: sample.constraints[0]?.range,
            seconds: (io.now() - start) / 1000,
            textOf: createTextOf(uri => loaded.textOf(loaded.fileOf(uri))),
        },
        loaded.fileOf,
    );
    const { verdict, notForAll } = document;
    const exitCode = verdict === 'holds' && notForAll.length > 0 ? EXIT.undecided : EXIT[verdict];
    if (traceFile !== undefined) {
        await writeFile(traceFile, toTraceText(document, traceFile), io);
    }
    if (json) {
        writeJson(document, io);
    } else if (isForPrograms(format)) {
        await writeReport([suiteOfEverySize(file, document)], exitCode, format, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write(quiet ? formatEverySizeInALine(document) : formatEverySize(document, style));
    }
    return exitCode;
}

/** Options of one search have no meaning for all sizes. */
function checkOptions({
    sweep,
    checkpointFile,
    resumeFile,
    isEach,
    countsCoverage,
    states,
    por,
    find,
}: ExploreInvocation): void {
    const refused = [
        ...(sweep === undefined ? [] : ['--sweep']),
        ...(checkpointFile === undefined ? [] : ['--checkpoint']),
        ...(resumeFile === undefined ? [] : ['--resume']),
        ...(isEach ? ['--each'] : []),
        ...(find === undefined ? [] : ['--find']),
        ...(countsCoverage ? ['--coverage'] : []),
        ...(states === 'fingerprint' ? ['--states fingerprint'] : []),
        ...(por === 'off' ? [] : [`--por ${por}`]),
    ];
    if (refused[0] !== undefined) {
        throw new CallError('call/every', `\`${refused[0]}\` is about one value: it cannot be used with \`=all\``);
    }
}

function toTraceText({ violations, ...document }: EverySizeDocument, file: string): string {
    const { schemaVersion, model, params, violatedFor } = document;
    return file.endsWith('.json')
        ? `${JSON.stringify({ schemaVersion, model, params, violatedFor, violations }, undefined, 2)}\n`
        : violations.map(violation => formatViolationLines(violation, PLAIN)).join('\n') || 'no violation was found\n';
}
