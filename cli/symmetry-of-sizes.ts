/**
 * What `orbit symmetry` says of all values of the parameters: what is proved from the text, and where less is proved than
 * was found, what a search sees at the five smallest values of one parameter. What is seen is never called proved.
 */
import { createWorkLimit } from '../engine/common/work-limit.js';
import type { SymmetryAnalysis } from '../engine/pipeline.js';
import type { SeenDocument } from '../language-server/document-schema.js';
import type { UniformReport } from '../family/sort-report.js';
import type { CommandIo } from './io.js';
import { load, type LoadedFile } from './load.js';
import { nameOfAll } from './text/name-of-sizes.js';

/** For all sizes together. */
const SEEN_SECONDS = 2;

const MOST_SIZES = 5;

export interface SymmetryOfSizes {
    readonly uniform: UniformReport;
    readonly seen?: SeenDocument;
    /** A proved generator that the model refutes: a defect of Orbit. */
    readonly isRefuted: boolean;
}

/** Undefined for a model without parameters, of which a search says as much. */
export async function describeSymmetryOfSizes(
    file: string,
    parameters: ReadonlyMap<string, string>,
    loaded: LoadedFile,
    symmetry: SymmetryAnalysis<unknown>,
    io: CommandIo,
): Promise<SymmetryOfSizes | undefined> {
    const { checked, model } = loaded;
    if (checked === undefined || model === undefined || model.parameters.length === 0) {
        return undefined;
    }
    const { inferSorts } = await import('../family/infer-sorts.js');
    const { reportUniform } = await import('../family/sort-report.js');
    const { checkUniform } = await import('../family/try-generators.js');
    const sorts = inferSorts(checked.model);
    const workLimit = createWorkLimit({ now: io.now, budgetMilliseconds: SEEN_SECONDS * 1000 });
    const { order, isRefuted, untried } = io.finish(
        () => checkUniform(sorts, checked.constants, model, symmetry.constraints, workLimit),
        Infinity,
    );
    const uniform = isRefuted ? { proved: [], refused: [] } : reportUniform(sorts, untried);
    const isWhole = !symmetry.complete || order === symmetry.group.order;
    const seen = isWhole ? undefined : await seenAt(file, parameters, model.parameters, io);
    return { uniform, ...(seen !== undefined && { seen }), isRefuted };
}

/** The groups at the smallest values of the first parameter that is a number and that the call leaves open. */
async function seenAt(
    file: string,
    parameters: ReadonlyMap<string, string>,
    declared: readonly { readonly name: string; readonly value: unknown }[],
    io: CommandIo,
): Promise<SeenDocument | undefined> {
    const parameter = declared.find(({ name, value }) => typeof value === 'number' && !parameters.has(name))?.name;
    if (parameter === undefined) {
        return undefined;
    }
    const { nameSymmetries } = await import('../engine/pipeline.js');
    const workLimit = createWorkLimit({ now: io.now, budgetMilliseconds: SEEN_SECONDS * 1000 });
    const sizes: SeenDocument['sizes'][number][] = [];
    // The least value of its type is found by trying: a value outside of it is an error of the call.
    for (
        let value = 0;
        sizes.length < MOST_SIZES && value <= MOST_SIZES + sizes.length && !workLimit.isExhausted();
        value++
    ) {
        const { model } = await load(file, new Map([...parameters, [parameter, String(value)]]), io);
        if (model === undefined) {
            if (sizes.length > 0) {
                break;
            }
            continue;
        }
        const { symmetry } = io.finish(() => nameSymmetries(model, { now: io.now, workLimit }), Infinity);
        if (symmetry?.complete !== true || symmetry.refuted || symmetry.report.structure === undefined) {
            break;
        }
        sizes.push({ value, structure: symmetry.report.structure, order: symmetry.report.order });
    }
    const pattern = nameOfAll(parameter, sizes);
    return sizes.length === 0 ? undefined : { parameter, sizes, ...(pattern !== undefined && { pattern }) };
}
