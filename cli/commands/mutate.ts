/**
 * `orbit mutate`: change models at one place after the other, and report what nothing in them notices. Ends with 2 if a
 * file is wrong, which ends no other one, else with 1 if something survives that the baseline does not have, else with 3
 * if a limit has left mutants undecided.
 */
import { createTextOf } from '../../engine/common/source-text.js';
import { createWorkLimit } from '../../engine/common/work-limit.js';
import type { Problem } from '../../engine/common/problem.js';
import { toDocumentParameters, toDocumentProblem, toMutantDocument } from '../../language-server/documents.js';
import type { DocumentProblem, MutantDocument, MutateDocument } from '../../language-server/document-schema.js';
import { exitCodeOfProblems } from '../analysis.js';
import { nameInBaseline } from '../baseline.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode, worstExitCode } from '../exit-code.js';
import { type CommandIo, TimeIsOver } from '../io.js';
import { filesOf, inOrderOfText, load, type LoadedFile } from '../load.js';
import type { MutateInvocation } from '../options/invocation.js';
import { styleFor, toCallProblem, writeJson } from '../output.js';
import { createProgressLine } from '../progress.js';
import { compareSurvivors, isSurvivor, type Survivor } from '../../language-server/survivors.js';
import { readSurvivors, writeSurvivors } from '../survivors.js';
import { formatMutants, formatMutantsInALine, type MutatedModel } from '../text/mutants.js';
import { formatProblems } from '../text/problems.js';

/** A file without a model that can be changed. */
interface UnjudgedFile {
    readonly exitCode: ExitCode;
    readonly problems: readonly DocumentProblem[];
    readonly textOf: LoadedFile['textOf'];
}

export async function mutate(invocation: MutateInvocation, io: CommandIo): Promise<ExitCode> {
    const { baselineFile, updatesBaseline, timeoutSeconds, json, quiet } = invocation;
    const files = await filesOf(invocation.files, baselineFile, io);
    const baseline =
        baselineFile === undefined
            ? { schemaVersion: 1 as const, survivors: [] }
            : await readSurvivors(baselineFile, updatesBaseline, io);
    const deadline = io.now() + timeoutSeconds * 1000;
    const models: MutatedModel[] = [];
    const unjudged: UnjudgedFile[] = [];
    const updated: { readonly model: Pick<Survivor, 'file' | 'params'>; readonly survivors: readonly Survivor[] }[] =
        [];
    const style = styleFor(io.stdout, invocation.color, io.environment);
    for (const file of files) {
        const mutated = await mutateFile(file, deadline, invocation, io);
        if ('exitCode' in mutated) {
            unjudged.push(mutated);
            if (!json) {
                const styleOfProblems = styleFor(io.stderr, invocation.color, io.environment);
                io.stderr.write(formatProblems(mutated.problems, mutated.textOf, styleOfProblems));
            }
            continue;
        }
        const name = baselineFile === undefined ? file : nameInBaseline(file, baselineFile, io);
        const model = { file: name, params: mutated.params };
        const compared = compareSurvivors(model, mutated.mutants, baseline);
        updated.push({
            model,
            survivors: mutated.mutants.flatMap((mutant): Survivor[] => {
                const entry = compared.entryOf.get(mutant);
                const { within, change, from, to } = mutant;
                // A limit says nothing against what people have accepted.
                return isSurvivor(mutant)
                    ? [{ ...model, within, change, from, to, because: entry?.because ?? '' }]
                    : entry === undefined
                      ? []
                      : [entry];
            }),
        });
        const mutants = mutated.mutants.map((mutant): MutantDocument => {
            const because = isSurvivor(mutant) ? compared.entryOf.get(mutant)?.because : undefined;
            return because === undefined ? mutant : { ...mutant, because };
        });
        const { unmatched } = compared;
        const document = { ...mutated, mutants, ...(unmatched > 0 && !updatesBaseline && { unmatched }) };
        models.push(document);
        if (!json && !quiet) {
            io.stdout.write(formatMutants(document, style));
        }
    }
    const codes = models.map(model => (updatesBaseline ? exitCodeOfUpdate(model) : exitCodeOf(model)));
    const problems = unjudged.flatMap(each => each.problems);
    const document: MutateDocument = {
        schemaVersion: 1,
        models: models.map(({ parts: _, ...model }) => model),
        ...(problems.length > 0 && { problems }),
    };
    if (baselineFile !== undefined && updatesBaseline) {
        await writeSurvivors(baselineFile, baseline, updated, io);
    }
    if (json) {
        writeJson(document, io);
    } else if (models.length > 0) {
        io.stdout.write(formatMutantsInALine(document));
    }
    return worstExitCode([...codes, ...unjudged.map(({ exitCode }) => exitCode)]);
}

async function mutateFile(
    file: string,
    deadline: number,
    invocation: MutateInvocation,
    io: CommandIo,
): Promise<MutatedModel | UnjudgedFile> {
    let loaded: LoadedFile;
    try {
        loaded = await load(file, invocation.parameters, io, deadline);
    } catch (error) {
        const problems = problemsOfLoading(error, file);
        if (problems === undefined) {
            throw error;
        }
        const exitCode = error instanceof TimeIsOver ? EXIT.undecided : EXIT.wrong;
        return { exitCode, problems, textOf: () => undefined };
    }
    const { model, fileOf } = loaded;
    const unjudged = (exitCode: ExitCode, problems: readonly Problem[]): UnjudgedFile => ({
        exitCode,
        problems: inOrderOfText(problems.map(problem => toDocumentProblem(problem, fileOf))),
        textOf: loaded.textOf,
    });
    if (model === undefined) {
        return unjudged(EXIT.wrong, loaded.problems);
    }
    const { Mutants } = await import('../../engine/mutants.js');
    const workLimit = createWorkLimit({ now: io.now, budgetMilliseconds: deadline - io.now() });
    const textOf = createTextOf(uri => loaded.textOf(fileOf(uri)));
    const mutants = io.finish(() => new Mutants(model, { now: io.now, textOf, workLimit }), Infinity);
    if (mutants.problems.length > 0) {
        return unjudged(exitCodeOfProblems(mutants.problems), mutants.problems);
    }
    const progress = createProgressLine(io, !invocation.quiet);
    const judging = mutants.judgeAll(() => deadline - io.now());
    let step = judging.next();
    while (step.done !== true) {
        const { value: index } = step;
        progress.show(() => `${file}: mutant ${index + 1} of ${mutants.mutations.length}`);
        await io.nextTurn();
        step = io.finish(() => judging.next(), Infinity);
    }
    progress.clear();
    const judged = step.value.map(mutant => toMutantDocument(mutant, fileOf));
    const parts = mutants.mutations.map(({ part }) => part);
    return { file, model: model.name, params: toDocumentParameters(model), mutants: judged, parts };
}

/** What is said of a file that cannot be read, or not in time; undefined for other errors. */
function problemsOfLoading(error: unknown, file: string): readonly DocumentProblem[] | undefined {
    if (error instanceof TimeIsOver) {
        return [toCallProblem('limit/time', 'the time was over before there was a result', file)];
    }
    return error instanceof CallError && error.file !== ''
        ? [toCallProblem(error.code, error.message, file)]
        : undefined;
}

function exitCodeOf(model: MutatedModel): ExitCode {
    return model.mutants.some(mutant => isSurvivor(mutant) && mutant.because === undefined)
        ? EXIT.violated
        : exitCodeOfUpdate(model);
}

function exitCodeOfUpdate({ mutants }: MutatedModel): ExitCode {
    return mutants.some(({ outcome }) => outcome === 'undecided') ? EXIT.undecided : EXIT.holds;
}
