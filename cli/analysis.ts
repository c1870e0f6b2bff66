/** From a named file to the analysis of its model. Problems of the model are reported here, and end the call. */
import { createWorkLimit } from '../engine/common/work-limit.js';
import type { Problem } from '../engine/common/problem.js';
import { createTextOf } from '../engine/common/source-text.js';
import { propertyNames, type Model } from '../engine/model/model.js';
import type { Analysis, AnalysisOptions, SymmetryAnalysis } from '../engine/pipeline.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import { toDocumentProblem } from '../language-server/documents.js';
import { withSlots } from '../engine/model/with-slots.js';
import type { Question } from '../language-server/question/question.js';
import type { CommonOptions, FindOption, InstancesOption } from './options/invocation.js';
import { CallError } from './call-error.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import { type LoadedFile, load, inOrderOfText } from './load.js';
import { isForPrograms, styleFor, writeJson, writeReport } from './output.js';
import { formatProblems } from './text/problems.js';

/** The search for symmetries ends after this time, with a subgroup, unless the caller asks for less or more. */
export const DETECTION_SECONDS = 60;

export interface AnalyzedModel<Report> {
    readonly loaded: LoadedFile;
    readonly analysis: Analysis<Report> & {
        readonly sequential: SequentialModel;
        readonly symmetry: SymmetryAnalysis<Report>;
    };
}

function questionOf({ find }: FindOption): Question | undefined {
    return find === undefined ? undefined : { kind: 'run', text: find };
}

export interface SearchSettings {
    readonly detectionSeconds: number;
    /** The time by which there must be an answer, on the clock of the world; TimeIsOver is thrown after it. */
    readonly deadline?: number;
}

/** The model and the result of `search`; or, if the model has errors, the exit code after reporting them. */
export async function searchFile<Report>(
    file: string,
    options: CommonOptions & InstancesOption & FindOption,
    { detectionSeconds, deadline = Infinity }: SearchSettings,
    io: CommandIo,
    search: (pipeline: Pipeline, model: Model, options: AnalysisOptions) => Analysis<Report>,
): Promise<AnalyzedModel<Report> | ExitCode> {
    const loaded = await load(file, options.parameters, io, deadline, questionOf(options));
    if (loaded.model === undefined) {
        await reportProblems(loaded, loaded.problems, EXIT.wrong, options, io);
        return EXIT.wrong;
    }
    const model = withInstances(loaded.model, options);
    const pipeline = await import('../engine/pipeline.js');
    const workLimit = createWorkLimit({ now: io.now, budgetMilliseconds: detectionSeconds * 1000 });
    const textOf = createTextOf(uri => loaded.textOf(loaded.fileOf(uri)));
    const analysis = io.finish(() => search(pipeline, model, { now: io.now, workLimit, textOf }), deadline - io.now());
    const problems = [...loaded.problems, ...analysis.problems];
    const { sequential, symmetry } = analysis;
    if (sequential === undefined || symmetry === undefined) {
        const exitCode = exitCodeOfProblems(problems);
        await reportProblems(loaded, problems, exitCode, options, io);
        return exitCode;
    }
    tellWarnings(loaded, problems, options, io);
    return { loaded, analysis: { ...analysis, sequential, symmetry } };
}

type Pipeline = typeof import('../engine/pipeline.js');

/** For `searchFile`: the symmetries without a description. */
export function symmetriesAlone(
    { findSymmetries }: Pipeline,
    model: Model,
    options: AnalysisOptions,
): Analysis<undefined> {
    return findSymmetries(model, options);
}

export interface LinearizedModel {
    readonly loaded: LoadedFile;
    readonly model: Model;
    readonly sequential: SequentialModel;
}

/** The sequential model alone, for commands that need no symmetry; the exit code if the model has errors, as above. */
export async function linearizeFile(
    file: string,
    options: CommonOptions & InstancesOption & FindOption,
    io: CommandIo,
    deadline = Infinity,
): Promise<LinearizedModel | ExitCode> {
    const loaded = await load(file, options.parameters, io, deadline, questionOf(options));
    if (loaded.model === undefined) {
        await reportProblems(loaded, loaded.problems, EXIT.wrong, options, io);
        return EXIT.wrong;
    }
    const model = withInstances(loaded.model, options);
    const { linearize } = await import('../engine/sequential/linearize.js');
    const { sequential, problems } = io.finish(() => linearize(model), deadline - io.now());
    const allProblems = [...loaded.problems, ...problems];
    if (sequential === undefined) {
        const exitCode = exitCodeOfProblems(problems);
        await reportProblems(loaded, allProblems, exitCode, options, io);
        return exitCode;
    }
    tellWarnings(loaded, allProblems, options, io);
    return { loaded, model, sequential };
}

/** The model with as many instances of templates as the call asks for. */
function withInstances(model: Model, { instances }: InstancesOption): Model {
    if (instances === undefined) {
        return model;
    }
    const templates = model.processes.flatMap(({ name, template }) => (template === undefined ? [] : [name]));
    const unknown = [...instances.keys()].find(name => !templates.includes(name));
    if (unknown !== undefined) {
        const known = templates.length === 0 ? 'there is none' : `there are ${templates.join(', ')}`;
        throw new CallError('call/instances', `the model has no template '${unknown}'; ${known}`);
    }
    const indices = new Map(model.processes.map(({ name }, index) => [name, index]));
    return withSlots(model, new Map([...instances].map(([name, count]) => [indices.get(name) ?? -1, count])));
}

/** A model that is too large for a limit is not wrong. */
export function exitCodeOfProblems(problems: readonly Problem[]): ExitCode {
    const errors = problems.filter(({ severity }) => severity === 'error');
    return errors.every(({ code }) => code.startsWith('limit/')) ? EXIT.undecided : EXIT.wrong;
}

/** Text goes to stderr, since stdout is for the result; in the forms for programs the problems are the result. */
export async function reportProblems(
    loaded: LoadedFile,
    problems: LoadedFile['problems'],
    exitCode: ExitCode,
    options: CommonOptions,
    io: CommandIo,
): Promise<void> {
    const sorted = inOrderOfText(problems.map(problem => toDocumentProblem(problem, loaded.fileOf)));
    if (options.json) {
        writeJson({ schemaVersion: 1, problems: sorted }, io);
    } else if (isForPrograms(options.format)) {
        const { suiteOfProblems } = await import('./report/report.js');
        await writeReport([suiteOfProblems(loaded.source.file, sorted)], exitCode, options.format, io);
    } else {
        io.stderr.write(formatProblems(sorted, loaded.textOf, styleFor(io.stderr, options.color, io.environment)));
    }
}

/** Beside a result, in a call that a person reads. */
export function tellWarnings(
    loaded: LoadedFile,
    problems: LoadedFile['problems'],
    options: CommonOptions,
    io: CommandIo,
): void {
    if (!options.json && !options.quiet && !isForPrograms(options.format)) {
        const sorted = inOrderOfText(problems.map(problem => toDocumentProblem(problem, loaded.fileOf)));
        io.stderr.write(formatProblems(sorted, loaded.textOf, styleFor(io.stderr, options.color, io.environment)));
    }
}

/** Throws a CallError for a name that `--property` does not know; faults are always checked. */
export function checkPropertyNames(names: readonly string[] | undefined, model: Model): void {
    const known = [...propertyNames(model), 'faults'];
    const unknown = names?.find(name => !known.includes(name));
    if (unknown !== undefined) {
        throw new CallError(
            'call/property',
            `the model states no property '${unknown}'; it states ${known.join(', ')}`,
        );
    }
}
