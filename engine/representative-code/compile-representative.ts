/**
 * Representatives of packed states in generated code: for each part of a plan a function of the address of a state. The
 * functions use memory of the module, so each instance needs a memory of its own. Only an ordering may have to search; its
 * function then leaves the state and returns 1. A plan without such an ordering is self-contained.
 */
import type { StateLayout } from '../explore/state-layout.js';
import { needsNoSearch, type PlanPart, type RepresentativePlan } from '../representative/representative-plan.js';
import { compileCosets, type RepresentativeFunction } from './compile-cosets.js';
import { compileListing } from './compile-listing.js';
import { compileOrdering } from './compile-ordering.js';
import { compileSorting } from './compile-sorting.js';
import { call, FunctionBody } from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { loadWords, storeWords } from './state-words.js';
import type { StaticData } from '../codegen/static-data.js';

/** `undefined` if some part cannot be compiled or would be too large. */
export function compileRepresentative(
    plan: RepresentativePlan,
    layout: StateLayout,
    data: StaticData,
    module: ModuleWriter,
): RepresentativeFunction | undefined {
    const targets: number[] = [];
    for (const part of plan) {
        const body = compilePart(part, layout, data, module);
        if (body === undefined) {
            return undefined;
        }
        targets.push(module.add(body, 'i32'));
    }
    const isSelfContained = plan.every(needsNoSearch);
    if (targets.length === 1) {
        return { target: targets[0], isSelfContained };
    }
    const f = new FunctionBody(['i32']);
    const address = f.parameter(0);
    const state = isSelfContained ? [] : loadWords(f, layout.longCount, address);
    plan.forEach((part, i) => {
        const isLeft = call(targets[i], address);
        if (needsNoSearch(part)) {
            f.drop(isLeft);
        } else {
            f.if(isLeft, () => {
                storeWords(f, state, address);
                f.return(1);
            });
        }
    });
    f.result(0);
    return { target: module.add(f, 'i32'), isSelfContained };
}

function compilePart(
    part: PlanPart,
    layout: StateLayout,
    data: StaticData,
    module: ModuleWriter,
): FunctionBody | undefined {
    switch (part.kind) {
        case 'sort':
            return compileSorting(part, layout, data);
        case 'list':
            return compileListing(part, layout, data);
        case 'order':
            return compileOrdering(part, layout, data, module);
        case 'cosets': {
            const subgroup = compileRepresentative(part.subgroup, layout, data, module);
            return subgroup && compileCosets(part, subgroup, layout, data);
        }
    }
}
