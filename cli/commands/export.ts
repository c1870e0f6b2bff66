/** `orbit export`: an intermediate form of a model, for other programs (bliss, GAP) or for reading. */
import { formatCount } from '../../engine/describe/words.js';
import { invariant } from '../../engine/common/assert.js';
import type { Problem } from '../../engine/common/problem.js';
import { toDocumentParameters } from '../../language-server/documents.js';
import type { SymmetryAnalysis } from '../../engine/pipeline.js';
import { formatValue, valueOfCode } from '../../engine/model/domain.js';
import {
    DETECTION_SECONDS,
    type LinearizedModel,
    linearizeFile,
    reportProblems,
    searchFile,
    symmetriesAlone,
} from '../analysis.js';
import { createdBy, INSTANCES_LIMIT } from '../../engine/verdict/enough-slots.js';
import { STATE_GRAPH_FORMS } from '../../engine/options.js';
import type { ExportInvocation, StateGraphForm } from '../options/invocation.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { checkOutput, writeFile, writeJson } from '../output.js';
import { toGap } from '../report/gap.js';

/** The most states of an exported graph, before reduction. */
const MOST_STATES = 20_000;

/** The model, with its symmetries if the form needs them. */
type Exportable = LinearizedModel & { readonly symmetry?: SymmetryAnalysis<unknown> };

/** Ends with 3 if the form needs a group and a limit left the group incomplete. */
export async function exportForm(invocation: ExportInvocation, io: CommandIo): Promise<ExitCode> {
    const { file, outputFile } = invocation;
    if (outputFile !== undefined) {
        await checkOutput(outputFile, [file], io);
    }
    const exportable: Exportable | ExitCode = isOfSymmetry(invocation)
        ? await detect(invocation, io)
        : await linearizeFile(file, invocation, io);
    if (typeof exportable === 'number') {
        return exportable;
    }
    const { model, symmetry } = exportable;
    const text = await toText(invocation, exportable, io);
    if (typeof text !== 'string') {
        const exitCode = text.code === INSTANCES_LIMIT ? EXIT.undecided : EXIT.wrong;
        await reportProblems(exportable.loaded, [text], exitCode, invocation, io);
        return exitCode;
    }
    if (outputFile !== undefined) {
        await writeFile(outputFile, text, io);
    }
    if (invocation.json) {
        const result = outputFile === undefined ? { text } : { output: outputFile };
        const params = toDocumentParameters(model);
        writeJson({ schemaVersion: 1, model: model.name, params, to: invocation.form, ...result }, io);
    } else if (outputFile === undefined) {
        io.stdout.writeData(text);
    }
    const isOfGroup = invocation.form === 'gap' || invocation.reduction === 'unique';
    return isOfGroup && symmetry?.complete !== true ? EXIT.undecided : EXIT.holds;
}

/** Whether the form needs the symmetries. */
function isOfSymmetry({ form, reduction }: ExportInvocation): boolean {
    return reduction === 'unique' || !['sequential', 'ssa', ...STATE_GRAPH_FORMS].includes(form);
}

async function detect(invocation: ExportInvocation, io: CommandIo): Promise<Exportable | ExitCode> {
    const settings = { detectionSeconds: DETECTION_SECONDS };
    const analyzed = await searchFile(invocation.file, invocation, settings, io, symmetriesAlone);
    return typeof analyzed === 'number' ? analyzed : { loaded: analyzed.loaded, ...analyzed.analysis };
}

function detected(exportable: Exportable): SymmetryAnalysis<unknown> {
    invariant(exportable.symmetry !== undefined, 'symmetries were looked for where they are written');
    return exportable.symmetry;
}

async function toText(
    { form, reduction }: ExportInvocation,
    exportable: Exportable,
    io: CommandIo,
): Promise<string | Problem> {
    switch (form) {
        case 'dot':
        case 'aut':
        case 'json':
            return toStateGraphText(form, reduction === 'unique', exportable, io);
        case 'graph-dimacs':
            return (await import('../../engine/graph/dimacs.js')).toDimacs(detected(exportable).encoding.graph);
        case 'graph-dot':
            return (await import('../report/graph-dot.js')).toGraphDot(detected(exportable).encoding);
        case 'gap':
            return toGapText(exportable);
        case 'sequential':
            return (await import('../../engine/sequential/print.js')).printSequentialModel(exportable.sequential);
        case 'ssa': {
            const { straightLinesOf } = await import('../../engine/symmetry/constraints.js');
            const { printSsa } = await import('../../engine/constraints/print-single-assignment.js');
            return io.finish(() => printSsa(straightLinesOf(exportable.sequential)), Infinity);
        }
        case 'constraints':
            return (await import('../../engine/constraints/print-constraints.js')).printConstraintProblem(
                detected(exportable).constraints,
            );
    }
}

/** The quotient is by the symmetries that keep everything that an exploration checks. A problem is one of the model. */
async function toStateGraphText(
    form: StateGraphForm,
    isReduced: boolean,
    exportable: Exportable,
    io: CommandIo,
): Promise<string | Problem> {
    const { exploreStateGraph, quotientOf } = await import('../../engine/explore/state-graph.js');
    const { toStateGraphAut, toStateGraphDot, toStateGraphJson } = await import('../report/state-graph.js');
    const { stateAction } = await import('../../engine/symmetry/certify.js');
    const generatorsOf = ({
        explorationGroup: group,
    }: SymmetryAnalysis<unknown>): ((state: Int32Array) => Int32Array)[] =>
        group.generators.map(generator => stateAction(group, generator));
    const { sequential } = exportable;
    if (sequential.numbers !== undefined) {
        const message =
            'the model has numbers without end, so its state graph has no end; with a bound, `0 .. 9`, it has';
        throw new CallError('call/numbers', message);
    }
    const whole = io.finish(() => exploreStateGraph(sequential, MOST_STATES), Infinity);
    if (whole.kind === 'problem') {
        return whole.problem;
    }
    const missed = whole.kind === 'graph' ? whole.graph.edges.find(({ to }) => to === 'slots') : undefined;
    if (missed !== undefined) {
        return tooFewInstances(exportable, missed.summand);
    }
    if (whole.kind === 'too-many-states') {
        throw new CallError(
            'call/state-graph',
            `the state graph has more than ${formatCount(MOST_STATES)} states, too many to write down; ` +
                'choose smaller parameters',
        );
    }
    const graph = isReduced
        ? io.finish(() => quotientOf(whole.graph, generatorsOf(detected(exportable))), Infinity)
        : whole.graph;
    if (graph === undefined) {
        throw new CallError(
            'call/state-graph',
            'the orbits have too many states that cannot be reached; without `--reduction unique` all states that ' +
                'can be reached are written',
        );
    }
    switch (form) {
        case 'dot':
            return toStateGraphDot(graph, sequential);
        case 'aut':
            return toStateGraphAut(graph, sequential);
        case 'json':
            return toStateGraphJson(graph, sequential);
    }
}

/** Some step creates one more than are considered. */
function tooFewInstances({ model, sequential }: Exportable, summand: number): Problem {
    const [template] = createdBy(sequential, summand);
    const { name, slots } = template ?? { name: '', slots: [] };
    return {
        severity: 'error',
        code: INSTANCES_LIMIT,
        message:
            `more than ${slots.length} instances of \`${name}\` live or are named at once; ` +
            `\`--instances ${name}=${2 * slots.length}\` considers more`,
        range: model.nameRange,
    };
}

function toGapText(exportable: Exportable): string {
    const { model, sequential } = exportable;
    const { group, complete } = detected(exportable);
    const parameters = model.parameters.map(({ name, text }) => `${name} = ${text}`);
    const literals = sequential.cells.flatMap(({ name, domain }, cell) =>
        (group.codes[cell] ?? []).map(code => `${name} = ${formatValue(domain, valueOfCode(domain, code))}`),
    );
    return toGap({
        title: parameters.length === 0 ? model.name : `${model.name} (${parameters.join(', ')})`,
        literals,
        generators: group.generators,
        order: group.order,
        complete,
    });
}
