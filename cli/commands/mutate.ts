/**
 * `orbit mutate`: change models at one place after the other, and report what nothing in them notices. Ends with 1 if
 * something survives that the baseline does not have, else with 3 if a limit has left mutants undecided.
 */
import { createTextOf } from '../../engine/common/source-text.js';
import { createWorkLimit } from '../../engine/common/work-limit.js';
import type { Effect } from '../../engine/mutate/mutation.js';
import { toDocumentLocation, toDocumentParameters } from '../../language-server/documents.js';
import type { MutantDocument, MutateDocument } from '../../language-server/document-schema.js';
import { nameInBaseline } from '../baseline.js';
import { EXIT, type ExitCode, worstExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import { filesOf, load } from '../load.js';
import { reportProblems } from '../analysis.js';
import type { MutateInvocation } from '../options/invocation.js';
import { styleFor, writeJson } from '../output.js';
import { createProgressLine } from '../progress.js';
import { compareSurvivors, isSurvivor, readSurvivors, type Survivor, writeSurvivors } from '../survivors.js';
import { formatMutants, formatMutantsInALine, type MutatedModel } from '../text/mutants.js';

export async function mutate(invocation: MutateInvocation, io: CommandIo): Promise<ExitCode> {
    const { baselineFile, updatesBaseline, timeoutSeconds, json, quiet } = invocation;
    const files = await filesOf(invocation.files, baselineFile, io);
    const baseline =
        baselineFile === undefined
            ? { schemaVersion: 1 as const, survivors: [] }
            : await readSurvivors(baselineFile, updatesBaseline, io);
    const deadline = io.now() + timeoutSeconds * 1000;
    const models: MutatedModel[] = [];
    const updated: { readonly model: Pick<Survivor, 'file' | 'params'>; readonly survivors: readonly Survivor[] }[] =
        [];
    const style = styleFor(io.stdout, invocation.color, io.environment);
    for (const file of files) {
        const mutated = await mutateFile(file, deadline, invocation, io);
        if (typeof mutated === 'number') {
            return mutated;
        }
        const name = baselineFile === undefined ? file : nameInBaseline(file, baselineFile, io);
        const model = { file: name, params: mutated.params };
        const survivors = mutated.mutants.filter(isSurvivor);
        const accepted = compareSurvivors(model, survivors, baseline);
        const because = new Map(survivors.map((mutant, index) => [mutant, accepted[index]?.because]));
        updated.push({
            model,
            survivors: survivors.map(({ within, change, from, to }, index) => ({
                ...model,
                ...{ within, change, from, to, because: accepted[index]?.because ?? '' },
            })),
        });
        const mutants = mutated.mutants.map((mutant): MutantDocument => {
            const reason = because.get(mutant);
            return reason === undefined ? mutant : { ...mutant, because: reason };
        });
        const compared = { ...mutated, mutants };
        models.push(compared);
        if (!json && !quiet) {
            io.stdout.write(formatMutants(compared, style));
        }
    }
    const exitCode = updatesBaseline ? EXIT.holds : worstExitCode(models.map(exitCodeOf));
    const document: MutateDocument = { schemaVersion: 1, models: models.map(({ parts: _, ...model }) => model) };
    if (baselineFile !== undefined && updatesBaseline) {
        await writeSurvivors(baselineFile, baseline, updated, io);
    }
    if (json) {
        writeJson(document, io);
    } else {
        io.stdout.write(formatMutantsInALine(document));
    }
    return exitCode;
}

/** The exit code if the model has errors, which are reported. */
async function mutateFile(
    file: string,
    deadline: number,
    invocation: MutateInvocation,
    io: CommandIo,
): Promise<MutatedModel | ExitCode> {
    const loaded = await load(file, invocation.parameters, io, deadline);
    const { model, fileOf } = loaded;
    if (model === undefined) {
        await reportProblems(loaded, loaded.problems, EXIT.wrong, invocation, io);
        return EXIT.wrong;
    }
    const { Mutants } = await import('../../engine/mutants.js');
    const workLimit = createWorkLimit({ now: io.now, budgetMilliseconds: deadline - io.now() });
    const textOf = createTextOf(uri => loaded.textOf(fileOf(uri)));
    const mutants = io.finish(() => new Mutants(model, { now: io.now, textOf, workLimit }), Infinity);
    if (mutants.problems.length > 0) {
        await reportProblems(loaded, mutants.problems, EXIT.wrong, invocation, io);
        return EXIT.wrong;
    }
    const progress = createProgressLine(io, !invocation.quiet);
    const judged: MutantDocument[] = [];
    for (const index of mutants.mutations.keys()) {
        progress.show(() => `${file}: mutant ${index + 1} of ${mutants.mutations.length}`);
        const { range, part: _, effect, ...mutant } = io.finish(() => mutants.judge(index), Infinity);
        judged.push({
            location: toDocumentLocation(range, fileOf),
            ...mutant,
            ...(effect !== undefined && toDocumentEffect(effect)),
        });
        await io.nextTurn();
    }
    progress.clear();
    const parts = mutants.mutations.map(({ part }) => part);
    return { file, model: model.name, params: toDocumentParameters(model), mutants: judged, parts };
}

function toDocumentEffect({ kind, firings, ...others }: Effect): Partial<MutantDocument> {
    return { effect: kind, steps: firings, ...others };
}

function exitCodeOf({ mutants }: MutatedModel): ExitCode {
    if (mutants.some(mutant => isSurvivor(mutant) && mutant.because === undefined)) {
        return EXIT.violated;
    }
    return mutants.some(({ outcome }) => outcome === 'undecided') ? EXIT.undecided : EXIT.holds;
}
