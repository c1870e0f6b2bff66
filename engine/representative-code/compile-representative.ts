/**
 * Representatives of packed states in generated code: for each part of a plan a function of the address of a state that
 * replaces its long words by those of the representative.
 *
 * The functions work on the words alone and call nothing outside of the module. They use memory that belongs to the module,
 * so each instance needs a memory of its own. Where a strategy has to search, which only ordering may have to, the function
 * leaves the state as it is and says so; a plan without that is self-contained.
 */
import type { StateLayout } from '../explore/state-layout.js';
import { needsNoSearch, type PlanPart, type RepresentativePlan } from '../representative/representative-plan.js';
import { compileCosets } from './compile-cosets.js';
import { compileListing } from './compile-listing.js';
import { compileOrdering } from './compile-ordering.js';
import { compileSorting } from './compile-sorting.js';
import { FunctionWriter } from '../webassembly/function-writer.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { loadWords, storeWords } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

export interface RepresentativeFunction {
    /** The function: of the address of a state, the mark included; 0, or 1 where it has given up and left the state. */
    readonly target: number;
    /** Whether it never gives up. */
    readonly isSelfContained: boolean;
}

/** `undefined` where some part cannot be compiled or would be too large. */
export function compileRepresentative(
    plan: RepresentativePlan,
    layout: StateLayout,
    data: StaticData,
    module: ModuleWriter,
): RepresentativeFunction | undefined {
    const targets: number[] = [];
    for (const part of plan) {
        const target = compilePart(part, layout, data, module);
        if (target === undefined) {
            return undefined;
        }
        targets.push(target);
    }
    const isSelfContained = plan.every(needsNoSearch);
    if (targets.length === 1) {
        return { target: targets[0], isSelfContained };
    }
    const f = new FunctionWriter(['i32']);
    const address = f.parameter(0);
    const state = isSelfContained ? [] : loadWords(f, layout.longCount, address);
    plan.forEach((part, i) => {
        f.get(address).call(targets[i]);
        if (needsNoSearch(part)) {
            f.op('drop');
        } else {
            f.if();
            storeWords(f, state, address);
            f.i32(1).op('return').end();
        }
    });
    return { target: define(f.i32(0), module), isSelfContained };
}

function compilePart(part: PlanPart, layout: StateLayout, data: StaticData, module: ModuleWriter): number | undefined {
    switch (part.kind) {
        case 'sort':
            return define(compileSorting(part, layout, data), module);
        case 'list':
            return define(compileListing(part, layout, data), module);
        case 'order':
            return compileOrdering(part, layout, data, module);
        case 'cosets': {
            const subgroup = compileRepresentative(part.subgroup, layout, data, module);
            return subgroup && define(compileCosets(part, subgroup, layout, data), module);
        }
    }
}

function define(f: FunctionWriter, module: ModuleWriter): number;
function define(f: FunctionWriter | undefined, module: ModuleWriter): number | undefined;
function define(f: FunctionWriter | undefined, module: ModuleWriter): number | undefined {
    if (f === undefined) {
        return undefined;
    }
    const target = module.announce({ parameters: ['i32'], results: ['i32'] });
    module.define(target, f);
    return target;
}
