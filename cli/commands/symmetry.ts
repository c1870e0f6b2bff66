/** `orbit symmetry`: detect the symmetry group of a model and report it. */
import { createWorkLimit } from '../../engine/common/work-limit.js';
import type { NamedSymmetries } from '../../engine/pipeline.js';
import type { SymmetryReport } from '../../engine/describe/report.js';
import { toDocumentParameters, toDocumentPlaces, toSymmetryDocument } from '../../language-server/documents.js';
import {
    type AnalyzedModel,
    DETECTION_SECONDS,
    analyzeFile,
    checkPropertyName,
    nameSymmetriesOf,
} from '../analysis.js';
import type { SymmetryInvocation } from '../options/invocation.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { styleFor, writeJson } from '../output.js';
import { formatSymmetry, formatSymmetryInALine } from '../text/symmetry.js';

/**
 * Ends with 0 if the group is complete and all assertions hold, with 1 if an assertion fails, with 3 if a limit or a
 * part that is too large left the group incomplete, and with 70 if the model refutes the result. A broken suggestion
 * is no failure.
 */
export async function symmetry(invocation: SymmetryInvocation, io: CommandIo): Promise<ExitCode> {
    const start = io.now();
    const { file, why, quiet, json, property } = invocation;
    const settings = {
        detectionSeconds: invocation.timeoutSeconds ?? DETECTION_SECONDS,
    };
    if (quiet && !json && property === undefined) {
        const named = await nameSymmetriesOf(file, invocation, settings, io);
        if (typeof named === 'number') {
            return named;
        }
        const { symmetry } = named.analysis;
        io.stdout.write(formatSymmetryInALine(symmetry));
        return exitCodeOf(symmetry);
    }
    const analyzed = await analyzeFile(file, invocation, { ...settings, why }, io);
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    const { loaded, analysis } = analyzed;
    const { model } = analysis;
    checkPropertyName(property, model);
    const report = await reportFor(analyzed, invocation, start, io);
    const total = io.now() - start;
    if (json) {
        writeJson(toSymmetryDocument(model, report, { parse: loaded.parseMilliseconds, total }, loaded.fileOf), io);
    } else if (quiet) {
        io.stdout.write(formatSymmetryInALine(report));
    } else {
        io.stdout.write(
            formatSymmetry(
                {
                    model: model.name,
                    params: toDocumentParameters(model),
                    report,
                    ...(property !== undefined && {
                        property: { name: property, ofOrder: analysis.symmetry.report.order },
                    }),
                    locate: places => toDocumentPlaces(places, loaded.fileOf),
                    seconds: total / 1000,
                },
                styleFor(io.stdout, invocation.color, io.environment),
            ),
        );
    }
    return exitCodeOf(report);
}

/** An assertion that fails beats a limit. */
function exitCodeOf({ assertions, complete, refuted }: NamedSymmetries): ExitCode {
    if (refuted) {
        return EXIT.defect;
    }
    if (assertions.some(({ verdict }) => verdict === 'fails')) {
        return EXIT.violated;
    }
    return complete && assertions.every(({ verdict }) => verdict === 'holds') ? EXIT.holds : EXIT.undecided;
}

/** The report of the model's group or, if a property is named, of the part that keeps the property's truth. */
async function reportFor(
    { analysis }: AnalyzedModel,
    invocation: SymmetryInvocation,
    start: number,
    io: CommandIo,
): Promise<SymmetryReport> {
    const { report } = analysis.symmetry;
    const property = report.properties.findIndex(({ name }) => name === invocation.property);
    if (property < 0) {
        return report;
    }
    const { reportKeeping } = await import('../../engine/pipeline.js');
    const budgetMilliseconds = (invocation.timeoutSeconds ?? DETECTION_SECONDS) * 1000 - (io.now() - start);
    return reportKeeping(analysis, property, createWorkLimit({ now: io.now, budgetMilliseconds }));
}
