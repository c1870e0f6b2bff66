/** Lines that say the same of several instances become one, with how many there are and why they are alike. */
import { appendTo } from '../common/list-map.js';
import { UnionFind } from '../common/union-find.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { ReasonLine } from './reason.js';
import type { Scene } from './scene.js';

interface InstanceLine {
    readonly instance: number;
    readonly line: ReasonLine;
}

/**
 * Folds lines of instances that a symmetry of the state exchanges, else lines that differ only in indices and numbers.
 * The first line of each class stands for it. O(symmetries * cells).
 */
export function foldAlike(
    lines: readonly InstanceLine[],
    { model, state }: Scene,
    symmetries: readonly LiteralImage[],
): readonly ReasonLine[] {
    const keeping = symmetries
        .filter(symmetry => keepsState(symmetry, state))
        .map(symmetry => imagesOf(symmetry, model));
    const orbits = new UnionFind(model.instances.length);
    keeping.forEach(images => images.forEach((image, instance) => orbits.union(instance, image)));
    const classes = new Map<string, InstanceLine[]>();
    for (const entry of lines) {
        const shape = `${model.instances[entry.instance].process} ${shapeOf(entry.line.text)}`;
        appendTo(classes, shape, entry);
    }
    return [...classes.values()].map(members => {
        const [first, ...more] = members;
        if (more.length === 0) {
            return first.line;
        }
        const root = orbits.find(first.instance);
        const areSymmetric = more.every(({ instance }) => orbits.find(instance) === root);
        const why = areSymmetric ? `the same by ${nameOf(keeping, members.length, first.instance)}` : 'likewise';
        const text = `and ${more.length} more, ${why}`;
        return { ...first.line, alike: { text, lines: more.map(({ line }) => line) } };
    });
}

function shapeOf(text: string): string {
    return text.replaceAll(/\[[^\]]*\]/g, '[]').replaceAll(/\d+/g, '#');
}

/** A single symmetry that takes the first instance once around all of them rotates them. */
function nameOf(keeping: readonly (readonly number[])[], count: number, first: number): string {
    const moving = keeping.filter(images => images[first] !== first);
    if (moving.length !== 1 || count < 3) {
        return 'symmetry';
    }
    let steps = 1;
    for (let current = moving[0][first]; current !== first; current = moving[0][current]) {
        steps++;
    }
    return steps === count ? 'rotation' : 'symmetry';
}

function keepsState({ cells, codeOf }: LiteralImage, state: Readonly<Int32Array>): boolean {
    return state.every((code, cell) => (code < 0 ? code : codeOf(cell, code)) === state[cells[cell]]);
}

/** The image of each instance, by the cells that it owns; an instance without cells stays. */
function imagesOf({ cells }: LiteralImage, model: SequentialModel): readonly number[] {
    const images = [...model.instances.keys()];
    model.cells.forEach(({ instance }, cell) => {
        if (instance >= 0) {
            images[instance] = model.cells[cells[cell]].instance;
        }
    });
    return images;
}
