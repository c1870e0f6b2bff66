/** The slots of a template that are in use in a state. */
import type { Cell, TemplateSlots } from '../sequential-model.js';

/** The number of instances that live; sets `isUsed[slot]` to 1 for these and for those that a cell names. */
export function usedSlots(
    { slots, holders }: TemplateSlots,
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
    for (const holder of holders) {
        const slot = state[holder] - (cells[holder].domain.kind === 'optional' ? 1 : 0);
        if (slot >= 0) {
            isUsed[slot] = 1;
        }
    }
    return live;
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
