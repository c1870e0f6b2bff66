/** A model as a WebAssembly module. If it cannot be compiled, it is interpreted as a whole, and the result says why. */
import type { EqualProcesses } from '../explore/equal-processes.js';
import type { StateCanonicalizer } from '../explore/state-canonicalizer.js';
import { StateLayout } from '../explore/state-layout.js';
import type { NumberSteps } from '../explore/number-successors.js';
import type { StepSelection } from '../explore/stubborn.js';
import type { WorkerHost } from '../explore/worker-host.js';
import { domainSize } from '../model/domain.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { compileSearch } from './compile-search.js';
import { type CodeContext, NotCompilable } from '../codegen/compile-expression.js';
import { compileRepresentative } from '../representative-code/compile-representative.js';
import { compileSummands } from '../codegen/compile-summands.js';
import { CURRENT } from '../codegen/current-state.js';
import { compileSelection } from '../codegen/compile-selection.js';
import { compileTemplates, countFunction, MOST_SLOTS, type CompiledTemplate } from '../codegen/free-slots.js';
import {
    type CompiledInstance,
    createMemory,
    importWideFunctions,
    instantiateIn,
    MOST_PAGES,
} from './compiled-instance.js';
import { FaultSites, SITE_BITS } from '../codegen/faults.js';
import { announceSink } from './firing-sinks.js';
import { memoryMap, type MemoryMap } from './memory-map.js';
import { compileNumbers, type NumberCode, outcomesOf, withRoom } from './number-code.js';
import { compareBlocks, markFunction, selectFunction } from './select-code.js';
import { ModuleWriter } from '../webassembly/module-writer.js';
import { StaticData } from '../codegen/static-data.js';
import { ifThereIsMemory, webAssembly } from '../webassembly/host.js';

/** More code takes longer to compile than it saves. */
const MOST_CODE_BYTES = 1 << 24;
const MOST_FIRINGS = 1 << 20;
const MOST_CODES = 2 ** 31;

/** A cell of no bits. */
const MARKER = { domain: { kind: 'range', low: 0, high: 0 }, mayBeAbsent: false, kind: 'shared' } as const;

export interface CompiledModel {
    readonly kind: 'compiled';
    readonly model: SequentialModel;
    readonly layout: StateLayout;
    readonly sites: FaultSites;
    readonly map: MemoryMap;
    /** Whether the module leaves states to the canonicalizer all or those that need a search. */
    readonly leavesStates: boolean;
    /** As in the options, with a canonicalizer. */
    readonly replacesAll: boolean;
    readonly templates: readonly CompiledTemplate[];
    readonly numbers: NumberCode | undefined;
    readonly bytes: Uint8Array;
    readonly isShared: boolean;
}

export interface CompilationOptions {
    readonly properties?: readonly string[] | undefined;
    readonly canonicalizer?: Pick<StateCanonicalizer, 'plan'> | undefined;
    /** Cells of the canonicalizer behind those of the model, each with one code. */
    readonly markerCount?: number;
    /** Takes some of the firings of each state. */
    readonly selection?: StepSelection | undefined;
    /** Of the firings of equal processes only one is looked up. */
    readonly equal?: EqualProcesses | undefined;
    /** Brings states to the form of their numbers without end, and takes steps from all that they stand for. */
    readonly numbers?: NumberSteps | undefined;
    /** Whether `reduce` finds the representatives that have been found just before, too. */
    readonly replacesAll?: boolean;
    /** For threads, if the host can share memory with them and the module finds all representatives. */
    readonly workers?: WorkerHost | undefined;
    /** Whether to store fingerprints in place of longer states. */
    readonly storesFingerprints?: boolean | undefined;
}

export interface NotCompiled {
    readonly kind: 'interpreted';
    readonly reason: string;
}

/** The invariants in `properties` are checked, all if absent. Representatives are found as far as their plan goes. */
export function compileModel(
    given: SequentialModel,
    {
        properties,
        canonicalizer,
        markerCount = 0,
        replacesAll = false,
        workers,
        storesFingerprints = false,
        selection,
        equal,
        numbers,
    }: CompilationOptions = {},
): CompiledModel | NotCompiled {
    const order = numbers?.order;
    const { model, bounded } = order === undefined ? { model: given, bounded: given.cells } : withRoom(given, order);
    const tooLarge = model.cells.find(({ domain }) => domainSize(domain) >= MOST_CODES);
    if (tooLarge !== undefined) {
        return { kind: 'interpreted', reason: `the type of '${tooLarge.name}' has too many values` };
    }
    const layout = new StateLayout(model.cells);
    const module = new ModuleWriter();
    const sites = new FaultSites();
    const imported = importWideFunctions(module);
    const { templates: declared = [] } = model;
    if (declared.some(({ slots }) => slots.length > MOST_SLOTS)) {
        return { kind: 'interpreted', reason: `a template has more than ${MOST_SLOTS} instances` };
    }
    const facts = order && given.numbers;
    const outcomes = order && facts && outcomesOf(order, facts);
    const mostAtOnce = mostFirings(model, outcomes);
    if (mostAtOnce > MOST_FIRINGS) {
        return { kind: 'interpreted', reason: 'a state may have too many successors' };
    }
    const data = new StaticData(CURRENT + 8 * layout.longCount);
    const plan = canonicalizer?.plan?.();
    const layoutWithMarkers = new StateLayout([...model.cells, ...Array<typeof MARKER>(markerCount).fill(MARKER)]);
    const representative = plan && compileRepresentative(plan, layoutWithMarkers, data, module);
    const compared = equal && compareBlocks(equal, layout, data, module);
    const templates = compileTemplates(declared, model.cells, layout, data, module);
    const numberCode = order && facts && compileNumbers({ model, order, layout, sites }, facts, data, module);
    const context: CodeContext = { cells: model.cells, bounded, layout, sites, templates, ...imported };
    const choice = ifCompilable(() => selection && compileSelection(model, selection, context, data, module));
    if (choice instanceof NotCompilable) {
        return { kind: 'interpreted', reason: choice.message };
    }
    data.writeTo(module);
    const size = {
        start: data.end,
        mostFirings: mostAtOnce,
        usualFirings: outcomes === undefined ? mostAtOnce : mostFirings(model),
        summandCount: model.summands.length,
        mostOutcomes: (outcomes ?? []).reduce((most, count) => Math.max(most, count), 1),
        storesFingerprints: storesFingerprints && layout.longCount > 1,
        isReduced: canonicalizer !== undefined,
        outside: model.constraint && sites.numberOf('outside', model.constraint.range),
    };
    try {
        const sink = announceSink(layout.longCount, module);
        const counts = templates.length === 0 ? [] : [module.add(countFunction(templates))];
        const sinks = numberCode?.sinks(sink) ?? { of: () => sink, inOthers: () => undefined };
        const begin = numberCode === undefined ? [] : [numberCode.begin];
        const expanders = [...counts, ...begin, ...compileSummands(model, context, sinks, module)];
        const work = {
            numbers: numberCode,
            isReduced: size.isReduced,
            replacesAll,
            representative,
            invariants: model.invariants
                .filter(({ name }) => properties === undefined || properties.includes(name))
                .map(({ expression }) => expression),
            mayStop: model.instances.map(({ mayStop }) => mayStop),
        };
        const map = memoryMap(layout.longCount, { ...size, siteCount: 0 });
        const mark = compared && module.add(markFunction(map, compared));
        const select = choice && module.add(selectFunction(map, choice));
        compileSearch(map, sink, expanders, { ...work, mark, select }, context, module);
    } catch (error) {
        if (error instanceof NotCompilable) {
            return { kind: 'interpreted', reason: error.message };
        }
        throw error;
    }
    if (sites.count >= 1 << SITE_BITS) {
        return { kind: 'interpreted', reason: 'there are too many places where something can go wrong' };
    }
    const leavesStates = size.isReduced && representative?.isSelfContained !== true;
    const isShared =
        workers !== undefined &&
        workers.threadCount > 1 &&
        !leavesStates &&
        // Each thread would count on its own.
        declared.length === 0 &&
        // Nor do threads tell each other what they have seen of numbers.
        numberCode === undefined &&
        typeof SharedArrayBuffer === 'function';
    const bytes = module.toBytes(MOST_PAGES, isShared);
    if (bytes.length > MOST_CODE_BYTES) {
        return { kind: 'interpreted', reason: 'the code would be too large' };
    }
    const map = memoryMap(layout.longCount, { ...size, siteCount: sites.count });
    return {
        kind: 'compiled',
        model,
        layout,
        sites,
        map,
        leavesStates,
        replacesAll,
        templates,
        numbers: numberCode,
        isShared,
        bytes,
    };
}

function ifCompilable<Result>(compile: () => Result): Result | NotCompilable {
    try {
        return compile();
    } catch (error) {
        if (error instanceof NotCompilable) {
            return error;
        }
        throw error;
    }
}

/** A compiled model with a memory. */
export interface RunningModel {
    readonly module: object;
    readonly instance: CompiledInstance;
}

/** Undefined if the host has no WebAssembly or no memory. */
export function instantiate({ bytes, map, isShared }: CompiledModel): RunningModel | undefined {
    const memory = createMemory(map.end, isShared);
    const host = webAssembly();
    if (host === undefined || memory === undefined) {
        return undefined;
    }
    return ifThereIsMemory(() => {
        const module = new host.Module(bytes);
        return { module, instance: instantiateIn(memory, module, map) };
    });
}

/** The most firings of a state, with all outcomes: for each instance those of one location. */
function mostFirings({ instances, summands }: SequentialModel, outcomes: readonly number[] = []): number {
    const counts = instances.map(({ locations }) => new Int32Array(locations.length));
    summands.forEach(({ participants: [first] }, summand) => {
        counts[first.instance][first.source] += outcomes[summand] ?? 1;
    });
    return counts.reduce(
        (total, byLocation) => total + byLocation.reduce((most, count) => Math.max(most, count), 0),
        0,
    );
}
