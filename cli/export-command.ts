/** `orbit export`: an intermediate form of a model, for other programs (bliss, GAP) or for reading. */
import type { Problem } from '../engine/common/problem.js';
import { toDocumentParameters } from '../language-server/documents.js';
import type { Analysis, SymmetryAnalysis } from '../engine/pipeline.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import { formatValue, valueOfCode } from '../engine/model/domain.js';
import { DETECTION_SECONDS, analyzeFile, reportProblems } from './analysis.js';
import type { ExportInvocation, StateGraphForm } from './arguments.js';
import { CallError } from './call-error.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import { writeFile, writeJson } from './output.js';
import { toGap } from './report-gap.js';
import { formatCount } from './report-text.js';

/** States of a graph that is written down, before reduction. */
const MOST_STATES = 20_000;

type Detected = Analysis & { readonly sequential: SequentialModel; readonly symmetry: SymmetryAnalysis };

/** Ends with 3 where the form is a group, or made by one, and time ran out before it was complete. */
export async function exportForm(invocation: ExportInvocation, io: CommandIo): Promise<ExitCode> {
    const analyzed = await analyzeFile(
        invocation.file,
        invocation,
        { detectionSeconds: DETECTION_SECONDS, suggestCandidates: true, explain: false },
        io,
    );
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    const { analysis } = analyzed;
    const text = await toText(invocation, analysis);
    if (typeof text !== 'string') {
        reportProblems(analyzed.loaded, [text], invocation, io);
        return EXIT.wrong;
    }
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
    const isOfGroup = invocation.form === 'gap' || invocation.isReduced;
    return isOfGroup && !analysis.symmetry.report.complete ? EXIT.undecided : EXIT.holds;
}

async function toText({ form, isReduced }: ExportInvocation, analysis: Detected): Promise<string | Problem> {
    switch (form) {
        case 'dot':
        case 'aut':
        case 'json':
            return toStateGraphText(form, isReduced, analysis);
        case 'graph-dimacs':
            return (await import('../engine/graph/dimacs.js')).toDimacs(analysis.symmetry.encoding.graph);
        case 'graph-dot':
            return (await import('./report-graph-dot.js')).toGraphDot(analysis.symmetry.encoding);
        case 'gap':
            return toGapText(analysis);
        case 'sequential':
            return (await import('../engine/sequential/print.js')).printSequentialModel(analysis.sequential);
        case 'ssa': {
            const { straightLinesOf } = await import('../engine/symmetry/constraints.js');
            return (await import('../engine/ssa/print.js')).printSsa(straightLinesOf(analysis.sequential));
        }
        case 'constraints':
            return (await import('../engine/csp/print.js')).printConstraintProblem(analysis.symmetry.constraints);
    }
}

/** The quotient is by the symmetries that keep everything that an exploration checks. A problem is one of the model. */
async function toStateGraphText(
    form: StateGraphForm,
    isReduced: boolean,
    analysis: Detected,
): Promise<string | Problem> {
    const { exploreStateGraph, quotientOf } = await import('../engine/explore/state-graph.js');
    const { toStateGraphAut, toStateGraphDot, toStateGraphJson } = await import('./report-state-graph.js');
    const { stateAction } = await import('../engine/symmetry/certify.js');
    const { sequential, symmetry } = analysis;
    const whole = exploreStateGraph(sequential, MOST_STATES);
    if (whole.kind === 'problem') {
        return whole.problem;
    }
    if (whole.kind === 'too-many-states') {
        throw new CallError(
            'call/state-graph',
            `The state graph has more than ${formatCount(MOST_STATES)} states, too many to write down; ` +
                'choose smaller parameters',
        );
    }
    const group = symmetry.explorationGroup;
    const generators = isReduced ? group.generators.map(generator => stateAction(group, generator)) : [];
    const graph = quotientOf(whole.graph, generators);
    switch (form) {
        case 'dot':
            return toStateGraphDot(graph, sequential);
        case 'aut':
            return toStateGraphAut(graph, sequential);
        case 'json':
            return toStateGraphJson(graph, sequential);
    }
}

function toGapText({ model, sequential, symmetry }: Detected): string {
    const { group, report } = symmetry;
    const parameters = model.parameters.map(({ name, text }) => `${name} = ${text}`);
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
