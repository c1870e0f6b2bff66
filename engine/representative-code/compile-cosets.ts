/**
 * Representatives by the cosets of a subgroup: the least of the images of the state under one element of each coset, each
 * replaced by its representative under the subgroup.
 */
import type { StateLayout } from '../explore/state-layout.js';
import type { CosetPlan } from '../representative/representative-plan.js';
import { isLess } from './sort-keys.js';
import { call, FunctionBody, load64 } from '../webassembly/function-body.js';
import { loadWords, storeWords, wordImages, writeImage } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

/** Generated code for the representative of a state. */
export interface RepresentativeFunction {
    /** The function: of the address of a state, the mark included; 0, or 1 if it has given up and left the state. */
    readonly target: number;
    /** Whether it never gives up. */
    readonly isSelfContained: boolean;
}

/** Instructions for all images together: more take longer to compile than they gain. */
const MOST_INSTRUCTIONS = 50_000;

/**
 * A function of the address of a state that replaces it by its representative and returns 0, or leaves it and returns 1 if
 * the subgroup's function does; `undefined` if it would be too large.
 */
export function compileCosets(
    { images }: CosetPlan,
    subgroup: RepresentativeFunction,
    layout: StateLayout,
    data: StaticData,
): FunctionBody | undefined {
    const all = wordImages(layout, images);
    if (all.reduce((sum, { size }) => sum + size, 0) > MOST_INSTRUCTIONS) {
        return undefined;
    }
    const f = new FunctionBody(['i32']);
    const address = f.parameter(0);
    const state = loadWords(f, layout.longCount, address);
    const image = state.map(() => f.local('i64'));
    const least = state.map(() => f.local('i64'));
    const space = f.variable(data.space(8 * layout.longCount));
    const keepImage = (): void => {
        image.forEach((word, i) => {
            least[i].set(word);
        });
    };
    all.forEach((each, index) => {
        writeImage(each, state, image, data);
        storeWords(f, image, space);
        const isLeft = call(subgroup.target, space);
        if (subgroup.isSelfContained) {
            f.drop(isLeft);
        } else {
            f.if(isLeft, () => {
                f.return(1);
            });
        }
        image.forEach((word, i) => {
            word.set(load64(space, 8 * i));
        });
        if (index === 0) {
            keepImage();
        } else {
            f.if(isLess(image, least), keepImage);
        }
    });
    storeWords(f, least, address);
    f.result(0);
    return f;
}
