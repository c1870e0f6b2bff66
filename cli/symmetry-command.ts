/** `orbit symmetry`: detect the symmetry group of a model and report it. */
import { toDocumentLocation, toDocumentParameters, toSymmetryDocument } from '../language-server/documents.js';
import { DETECTION_SECONDS, analyzeFile, checkPropertyName } from './analysis.js';
import type { SymmetryInvocation } from './arguments.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import { styleFor, writeJson } from './output.js';
import { formatSymmetry, formatSymmetryInALine } from './report-text.js';

/** Ends with 0 when the group is complete and with 3 when time ran out first; a broken symmetry is no failure. */
export async function symmetry(invocation: SymmetryInvocation, io: CommandIo): Promise<ExitCode> {
    const start = io.now();
    const analyzed = await analyzeFile(
        invocation.file,
        invocation,
        {
            detectionSeconds: invocation.timeoutSeconds ?? DETECTION_SECONDS,
            suggestCandidates: invocation.candidates,
            explain: true,
        },
        io,
    );
    if (analyzed === undefined) {
        return EXIT.wrong;
    }
    const { loaded, analysis } = analyzed;
    const { model, symmetry } = analysis;
    const { report } = symmetry;
    checkPropertyName(invocation.property, model);
    const property = report.properties.find(each => each.name === invocation.property);
    const total = io.now() - start;
    if (invocation.json) {
        writeJson(toSymmetryDocument(model, report, { parse: loaded.parseMilliseconds, total }, loaded.fileOf), io);
    } else if (invocation.quiet) {
        const { order, structure } = property ?? report;
        io.stdout.write(formatSymmetryInALine(structure, order, report.complete));
    } else {
        io.stdout.write(
            formatSymmetry(
                {
                    model: model.name,
                    params: toDocumentParameters(model),
                    report,
                    ...(property !== undefined && { property }),
                    locate: broken =>
                        broken.locations.map(({ range, text }) => ({
                            ...toDocumentLocation(range, loaded.fileOf),
                            text,
                        })),
                    seconds: total / 1000,
                },
                styleFor(io.stdout, invocation.color, io.environment),
            ),
        );
    }
    return report.complete ? EXIT.holds : EXIT.undecided;
}
