/**
 * Which slots of a template are in use in the state at CURRENT, in generated code: a bit for each. One function for each
 * template is called wherever an instance is created; it also keeps the most that were in use, so that a search calls it once
 * for each state.
 */
import type { StateLayout } from '../explore/state-layout.js';
import type { Cell, TemplateSlots } from '../sequential/sequential-model.js';
import {
    callTo,
    FunctionBody,
    i64,
    type Int,
    load32,
    load64,
    type Long,
    select,
} from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { CURRENT } from './current-state.js';
import { maskOf } from './state-copy.js';
import type { StaticData } from './static-data.js';

/** More slots do not fit into a long word. */
export const MOST_SLOTS = 64;

/** The offsets of the counts at `usage`. */
const LIVE = 0;
const NAMED = 4;

export interface CompiledTemplate {
    readonly template: TemplateSlots;
    /** The function. */
    readonly used: number;
    /** The address of the counts. */
    readonly usage: number;
}

/** The functions of all templates. */
export function compileTemplates(
    templates: readonly TemplateSlots[],
    cells: readonly Cell[],
    layout: StateLayout,
    data: StaticData,
    module: ModuleWriter,
): readonly CompiledTemplate[] {
    return templates.map(template => {
        const usage = data.space(8);
        return { template, usage, used: module.add(usedFunction(template, cells, layout, usage), 'i64') };
    });
}

function usedFunction(
    template: TemplateSlots,
    cells: readonly Cell[],
    layout: StateLayout,
    usage: number,
): FunctionBody {
    const f = new FunctionBody();
    // Those that the text names are always in use.
    const used = f.variable(i64(maskOf(template.named ?? 0)));
    const stored = (cell: number): Int => {
        const { word, shift, bits } = layout.placements[cell];
        return bits === 0
            ? i64(0n).toInt()
            : load64(0, CURRENT + 8 * word)
                  .shiftedRight(BigInt(shift))
                  .and(maskOf(bits))
                  .toInt();
    };
    template.slots.forEach(({ counter, ended }, slot) => {
        const lives = stored(counter).isNot(ended + layout.placements[counter].bias);
        used.set(used.or(lives.toLong().shiftedLeft(BigInt(slot))));
    });
    const keepMost = (offset: number): void => {
        const count = f.variable(used.converted('i64', 'i64_popcnt').toInt());
        f.if(count.isGreater(load32(0, usage + offset)), () => {
            f.store32(0, usage + offset, count);
        });
    };
    keepMost(LIVE);
    for (const holder of template.holders) {
        const first = layout.placements[holder].bias + (cells[holder].domain.kind === 'optional' ? 1 : 0);
        const held = f.variable(stored(holder));
        const bit = i64(1n).shiftedLeft(held.minus(first).toLong());
        used.set(used.or(select(held.isAtLeast(first), bit, 0n)));
    }
    keepMost(NAMED);
    f.result(used);
    return f;
}

/** Counts the slots in use in the state at CURRENT. */
export function countFunction(templates: readonly CompiledTemplate[]): FunctionBody {
    const f = new FunctionBody();
    for (const { used } of templates) {
        f.drop(callTo('i64', used));
    }
    return f;
}

/** The bits of some slots. */
export function bitsOf(slots: readonly number[]): bigint {
    return slots.reduce((bits, slot) => bits | (1n << BigInt(slot)), 0n);
}

/** The bits of the free slots, without the first ones and those that are `taken`. */
export function freeAfter(used: Long, slots: number, before: number, taken: readonly number[], f: FunctionBody): Long {
    let free: Long = f.variable(used.xor(-1n).and(maskOf(slots) & ~bitsOf(taken)));
    for (let taken = 0; taken < before; taken++) {
        free = f.variable(free.and(free.minus(1n)));
    }
    return free;
}

/** Takes over the counts of generated code. */
export function readUsage({ template, usage }: CompiledTemplate, words: Readonly<Uint32Array>): void {
    const counts = template.usage;
    counts.mostLive = Math.max(counts.mostLive, words[(usage + LIVE) / 4]);
    counts.mostNamed = Math.max(counts.mostNamed, words[(usage + NAMED) / 4]);
}
