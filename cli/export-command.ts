/** `orbit export`: an intermediate form of a model, for other programs (bliss, GAP) or for reading. */
import { toDocumentParameters } from '../language-server/documents.js';
import type { Analysis, SymmetryAnalysis } from '../engine/pipeline.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import { formatValue, valueOfCode } from '../engine/model/domain.js';
import { DETECTION_SECONDS, analyzeFile } from './analysis.js';
import type { ExportForm, ExportInvocation } from './arguments.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import { writeFile, writeJson } from './output.js';
import { toGap } from './report-gap.js';

type Detected = Analysis & { readonly sequential: SequentialModel; readonly symmetry: SymmetryAnalysis };

/** Ends with 3 where the form is a group and time ran out before it was complete. */
export async function exportForm(invocation: ExportInvocation, io: CommandIo): Promise<ExitCode> {
    const analyzed = await analyzeFile(
        invocation.file,
        invocation,
        { detectionSeconds: DETECTION_SECONDS, suggestCandidates: true, explain: false },
        io,
    );
    if (analyzed === undefined) {
        return EXIT.wrong;
    }
    const { analysis } = analyzed;
    const text = await toText(invocation.form, analysis);
    if (invocation.outputFile !== undefined) {
        await writeFile(invocation.outputFile, text, io);
    }
    if (invocation.json) {
        const { model } = analysis;
        const result = invocation.outputFile === undefined ? { text } : { output: invocation.outputFile };
        const params = toDocumentParameters(model);
        writeJson({ schemaVersion: 1, model: model.name, params, to: invocation.form, ...result }, io);
    } else if (invocation.outputFile === undefined) {
        io.stdout.write(text);
    }
    return invocation.form === 'gap' && !analysis.symmetry.report.complete ? EXIT.undecided : EXIT.holds;
}

async function toText(form: ExportForm, analysis: Detected): Promise<string> {
    switch (form) {
        case 'graph-dimacs':
            return (await import('../engine/graph/dimacs.js')).toDimacs(analysis.symmetry.graph);
        case 'gap':
            return toGapText(analysis);
        case 'sequential':
            return (await import('../engine/sequential/print.js')).printSequentialModel(analysis.sequential);
        case 'ssa':
            return (await import('../engine/ssa/print.js')).printSsa(analysis.symmetry.ssa);
        case 'constraints':
            return (await import('../engine/csp/print.js')).printConstraintProblem(analysis.symmetry.constraints);
    }
}

function toGapText({ model, sequential, symmetry }: Detected): string {
    const { group, report } = symmetry;
    const parameters = Object.entries(toDocumentParameters(model)).map(([name, value]) => `${name} = ${String(value)}`);
    const literals = sequential.cells.flatMap(({ name, domain }, cell) =>
        (group.codes[cell] ?? []).map(code => `${name} = ${formatValue(domain, valueOfCode(domain, code))}`),
    );
    return toGap({
        title: parameters.length === 0 ? model.name : `${model.name} (${parameters.join(', ')})`,
        literals,
        generators: group.generators,
        order: group.order,
        complete: report.complete,
    });
}
