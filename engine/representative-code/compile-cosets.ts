/**
 * Representatives by the cosets of a subgroup: the least of what the subgroup's strategy makes of the images of the state
 * under one element of each coset.
 */
import type { StateLayout } from '../explore/state-layout.js';
import type { CosetPlan } from '../representative/representative-plan.js';
import type { RepresentativeFunction } from './compile-representative.js';
import { FunctionWriter } from '../webassembly/function-writer.js';
import { loadWords, pushIsLess, storeWords, wordImages, writeImage } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

/** Instructions for all images together: more take longer to compile than they gain. */
const MOST_INSTRUCTIONS = 50_000;

/**
 * A function of the address of a state that replaces it by its representative and returns 0, or leaves it and returns 1
 * where the subgroup's function does; `undefined` where it would be too large.
 */
export function compileCosets(
    { images }: CosetPlan,
    subgroup: RepresentativeFunction,
    layout: StateLayout,
    data: StaticData,
): FunctionWriter | undefined {
    const all = wordImages(layout, images);
    if (all.reduce((sum, { size }) => sum + size, 0) > MOST_INSTRUCTIONS) {
        return undefined;
    }
    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const state = loadWords(f, layout.longCount, address);
    const image = state.map(() => f.acquire('i64'));
    const least = state.map(() => f.acquire('i64'));
    const space = f.acquire('i32');
    f.i32(data.space(8 * layout.longCount)).set(space);
    all.forEach((each, index) => {
        writeImage(f, each, state, image, data);
        storeWords(f, image, space);
        f.get(space).call(subgroup.target);
        if (subgroup.isSelfContained) {
            f.op('drop');
        } else {
            f.if();
            f.i32(1).op('return').end();
        }
        image.forEach((local, word) => {
            f.get(space)
                .memory('i64_load', 8 * word)
                .set(local);
        });
        if (index > 0) {
            pushIsLess(f, image, least);
            f.if();
        }
        image.forEach((local, word) => {
            f.get(local).set(least[word]);
        });
        if (index > 0) {
            f.end();
        }
    });
    storeWords(f, least, address);
    return f.i32(0);
}
