/** The slots of a template that are in use in a state. */
import type { Cell, TemplateSlots } from '../sequential-model.js';

/** The number of instances that live; sets `isUsed[slot]` to 1 for these and for those that a cell or the text names. */
export function usedSlots(
    { slots, holders, named = 0 }: Pick<TemplateSlots, 'slots' | 'holders' | 'named'>,
    cells: readonly Cell[],
    state: Readonly<Int32Array>,
    isUsed: Uint8Array,
): number {
    let live = 0;
    for (let slot = 0; slot < slots.length; slot++) {
        const { counter, ended } = slots[slot];
        isUsed[slot] = state[counter] === ended ? 0 : 1;
        live += isUsed[slot];
    }
    isUsed.fill(1, 0, named);
    for (const holder of holders) {
        const slot = state[holder] - (cells[holder].domain.kind === 'optional' ? 1 : 0);
        if (slot >= 0) {
            isUsed[slot] = 1;
        }
    }
    return live;
}

/** The free slot with so many free ones before it; -1 if there is none. */
export function freeAfter(isUsed: Uint8Array, before: number): number {
    let left = before;
    return isUsed.findIndex(used => used === 0 && left-- === 0);
}

/** Takes a state into account for the most instances at once. */
export function noteUsage(template: TemplateSlots, cells: readonly Cell[], state: Readonly<Int32Array>): void {
    const isUsed = new Uint8Array(template.slots.length);
    const live = usedSlots(template, cells, state, isUsed);
    const { usage } = template;
    usage.mostLive = Math.max(usage.mostLive, live);
    usage.mostNamed = Math.max(
        usage.mostNamed,
        isUsed.reduce((count, used) => count + used, 0),
    );
}
