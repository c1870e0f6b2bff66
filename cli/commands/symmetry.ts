/** `orbit symmetry`: detect the symmetry group of a model and report it. */
import type { SymmetryLine } from '../../engine/pipeline.js';
import { toDocumentParameters, toDocumentPlaces, toSymmetryDocument } from '../../language-server/documents.js';
import type { SymmetryDocument } from '../../language-server/document-schema.js';
import { DETECTION_SECONDS, checkPropertyNames, searchFile } from '../analysis.js';
import { describeSymmetryOfSizes } from '../symmetry-of-sizes.js';
import type { SymmetryInvocation } from '../options/invocation.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { isForPrograms, styleFor, writeJson, writeReport } from '../output.js';
import { suiteOfSymmetry } from '../report/report.js';
import { withoutMeant } from '../../language-server/lsp/diagnostics/symmetry-problems.js';
import { formatSymmetry, formatSymmetryInALine } from '../text/symmetry.js';

/**
 * Ends with 0 if the group is complete and all assertions hold, with 1 if an assertion fails, with 3 if a limit or a
 * part that is too large left the group incomplete, and with 70 if the model refutes the result. A broken suggestion
 * is no failure.
 */
export async function symmetry(invocation: SymmetryInvocation, io: CommandIo): Promise<ExitCode> {
    const start = io.now();
    const { file, why, quiet, json, properties, format } = invocation;
    const settings = { detectionSeconds: invocation.timeoutSeconds ?? DETECTION_SECONDS };
    if (quiet && format === 'text' && properties === undefined) {
        const named = await searchFile(file, invocation, settings, io, ({ nameSymmetries }, model, options) =>
            nameSymmetries(model, options),
        );
        if (typeof named === 'number') {
            return named;
        }
        const { report } = named.analysis.symmetry;
        io.stdout.write(formatSymmetryInALine(report));
        return exitCodeOf(report);
    }
    const analyzed = await searchFile(file, invocation, settings, io, ({ analyze }, model, options) =>
        analyze(model, { ...options, why, ...(properties !== undefined && { properties }) }),
    );
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    const { loaded, analysis } = analyzed;
    const { model } = analysis;
    const { report: whole, group } = analysis.symmetry;
    const broken = withoutMeant(whole.broken, uri => loaded.textOf(loaded.fileOf(uri)));
    const report = { ...whole, broken };
    checkPropertyNames(properties, model);
    const ofRuns = analysis.sequential.properties.find(({ name }) => properties?.includes(name));
    if (ofRuns !== undefined && properties?.some(name => name !== ofRuns.name && name !== 'faults')) {
        const message = `the symmetries that keep a property of runs are reported for it alone, here '${ofRuns.name}'`;
        throw new CallError('call/property', message);
    }
    const allSizes = await describeSymmetryOfSizes(file, invocation.parameters, loaded, analysis.symmetry, io);
    const total = io.now() - start;
    const toDocument = (): SymmetryDocument =>
        toSymmetryDocument(
            model,
            report,
            { parse: loaded.parseMilliseconds, total },
            loaded.fileOf,
            allSizes === undefined
                ? {}
                : { uniform: allSizes.uniform.proved, ...(allSizes.seen !== undefined && { seen: allSizes.seen }) },
        );
    const exitCode = allSizes?.isRefuted === true ? EXIT.defect : exitCodeOf(report);
    if (json) {
        writeJson(toDocument(), io);
    } else if (isForPrograms(format)) {
        await writeReport([suiteOfSymmetry(loaded.source.file, toDocument(), total / 1000)], exitCode, format, io);
    } else if (quiet) {
        io.stdout.write(formatSymmetryInALine(report));
    } else {
        io.stdout.write(
            formatSymmetry(
                {
                    model: model.name,
                    params: toDocumentParameters(model),
                    report,
                    ...(properties !== undefined && {
                        property: { name: properties.join(', '), ofOrder: group.order.toString() },
                    }),
                    locate: places => toDocumentPlaces(places, loaded.fileOf),
                    ...(allSizes !== undefined && { allSizes }),
                    seconds: total / 1000,
                },
                styleFor(io.stdout, invocation.color, io.environment),
            ),
        );
    }
    return exitCode;
}

/** An assertion that fails beats a limit. */
function exitCodeOf({ assertions, complete, refuted }: SymmetryLine): ExitCode {
    if (refuted) {
        return EXIT.defect;
    }
    if (assertions.some(({ verdict }) => verdict === 'fails')) {
        return EXIT.violated;
    }
    return complete && assertions.every(({ verdict }) => verdict === 'holds') ? EXIT.holds : EXIT.undecided;
}
