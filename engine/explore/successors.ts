/**
 * The successors of a state, interpreted here as the reference.
 *
 * A state has a firing for each summand whose participants' paths all hold; one that the constraint of the model cuts off
 * is the fault `outside`.
 */
import { remembered } from '../common/list-map.js';
import { Compiler, type Condition, type Fault } from '../sequential/expression/evaluate.js';
import { compileLeaving, compileSummand, type Fire, toFault } from '../sequential/fire-summand.js';
import type {
    Cell,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialModel,
    Summand,
} from '../sequential/sequential-model.js';

/** Receives the firings of one state, in the order of the summands. Each method returns whether to go on. */
export interface FiringVisitor {
    /**
     * The states are valid during the call only. The representative is that of the orbit of the successor, of successors
     * that come with it (compiled-successors.ts).
     */
    fired(summand: number, successor: Readonly<Int32Array>, representative?: Readonly<Int32Array>): boolean;
    /** The firing is a fault and has no successor. */
    faulted(summand: number, fault: Fault): boolean;
}

export interface Successors {
    forEachFiring(state: Readonly<Int32Array>, visitor: FiringVisitor): void;
}

/** The reference: compiled to closures, one state at a time. Only the summands that are among those asked for are tried. */
export function interpretedSuccessors(model: SequentialModel, isAmong?: (summand: number) => boolean): Successors {
    const { instances, compile, leaving } =
        isAmong === undefined
            ? remembered(compiledGroups, model, () => groupByLocation(model))
            : groupByLocation(model, isAmong);
    const scratch = new Int32Array(model.cells.length);
    return {
        forEachFiring(state, visitor): void {
            for (let instance = 0; instance < instances.length; instance++) {
                const { counter, groupsAt } = instances[instance];
                const groupsHere = groupsAt[counter < 0 ? 0 : state[counter]];
                for (let group = 0; group < groupsHere.length; group++) {
                    const { numbers, test, fires } = groupsHere[group];
                    if (test !== undefined && !mayHold(test, state)) {
                        continue;
                    }
                    for (let index = 0; index < numbers.length; index++) {
                        const fire = (fires[index] ??= compile(numbers[index]));
                        let outcome = fire(state, scratch);
                        if (outcome === 'disabled') {
                            continue;
                        }
                        if (leaving !== undefined && outcome === 'fired') {
                            outcome = leaving(scratch) ?? outcome;
                        }
                        const goOn =
                            outcome === 'fired'
                                ? visitor.fired(numbers[index], scratch)
                                : visitor.faulted(numbers[index], outcome);
                        if (!goOn) {
                            return;
                        }
                    }
                }
            }
        },
    };
}

/** The firing of one summand at a time, in a state in which its first participant is where it begins. */
export function interpretedFiring(model: SequentialModel): (summand: number) => Fire {
    const { compile, leaving } = remembered(compiledGroups, model, () => groupByLocation(model));
    const fires: Fire[] = [];
    return summand => (fires[summand] ??= inside(compile(summand), leaving));
}

/** With a firing that the constraint cuts off as the fault that it is. */
function inside(fire: Fire, leaving: CompiledGroups['leaving']): Fire {
    return leaving === undefined
        ? fire
        : (state, target) => {
              const outcome = fire(state, target);
              return outcome === 'fired' ? (leaving(target) ?? outcome) : outcome;
          };
}

/** Models are used for several purposes: symmetries, estimates, exploration. */
const compiledGroups = new WeakMap<SequentialModel, CompiledGroups>();

interface CompiledGroups {
    readonly instances: readonly InstanceSummands[];
    /** Compiles a summand on its first use; many are never used. */
    readonly compile: (number: number) => Fire;
    /** Why no firing leads to a state: the constraint is false there, or a fault. Absent without a constraint. */
    readonly leaving?: (state: Int32Array) => Fault | undefined;
}

/** The summands whose first participant is one instance. */
interface InstanceSummands {
    /** The cell of the program counter, or -1. */
    readonly counter: number;
    /** By location, in the order of the summands. */
    readonly groupsAt: readonly (readonly SummandGroup[])[];
}

/** Consecutive summands whose first participants begin with the same test. */
interface SummandGroup {
    /** Absent for one summand. */
    readonly test?: Condition;
    /** Indices into `SequentialModel.summands`. */
    readonly numbers: readonly number[];
    /** By index in `numbers`, once compiled. */
    readonly fires: Fire[];
}

/** True for a fault, too, which the summand then raises. */
function mayHold(test: Condition, state: Int32Array): boolean {
    try {
        return test(state);
    } catch (error) {
        toFault(error);
        return true;
    }
}

function groupByLocation(model: SequentialModel, isAmong: (summand: number) => boolean = () => true): CompiledGroups {
    const compiler = new Compiler(model.cells);
    const compile = summandCompiler(model, compiler);
    const begun = model.instances.map(({ locations }) =>
        locations.map((): { readonly condition: SequentialExpression | undefined; readonly numbers: number[] }[] => []),
    );
    model.summands.forEach(({ participants: [first] }, number) => {
        if (!isAmong(number)) {
            return;
        }
        const groups = begun[first.instance][first.source];
        const [begin] = pathOf(first, model);
        const condition = begin?.kind === 'test' ? begin.condition : undefined;
        const last = groups.at(-1);
        if (condition !== undefined && last?.condition === condition) {
            last.numbers.push(number);
        } else {
            groups.push({ condition, numbers: [number] });
        }
    });
    const instances = begun.map((groupsAt, instance) => ({
        counter: model.instances[instance].counter,
        groupsAt: groupsAt.map(groups =>
            groups.map(({ condition, numbers }): SummandGroup => {
                const test = condition && numbers.length > 1 ? compiler.condition(condition) : undefined;
                return { ...(test !== undefined && { test }), numbers, fires: [] };
            }),
        ),
    }));
    const { constraint } = model;
    return {
        ...(constraint !== undefined && { leaving: compileLeaving(constraint, compiler) }),
        instances: instances.filter(({ groupsAt }) => groupsAt.some(groups => groups.length > 0)),
        compile: number => compile(model.summands[number]),
    };
}

/** Without the test of the program counter, which comes first: only the summands of the present location are tried. */
function pathOf({ instance, path }: Participant, { instances }: SequentialModel): readonly PathElement[] {
    return instances[instance].counter < 0 ? path : path.slice(1);
}

function withoutCounterTest(summand: Summand, model: SequentialModel): Summand {
    const [first, ...others] = summand.participants;
    return { ...summand, participants: [{ ...first, path: pathOf(first, model) }, ...others] };
}

/** After an edit most summands and cells are the same objects. */
const compiledSummands = new WeakMap<Summand, { readonly cells: readonly Cell[]; readonly fire: Fire }>();

function summandCompiler(model: SequentialModel, compiler: Compiler): (summand: Summand) => Fire {
    const { cells } = model;
    const areSame = new Map([[cells, true]]);
    return summand => {
        const known = compiledSummands.get(summand);
        if (known !== undefined) {
            const isSame =
                areSame.get(known.cells) ??
                (cells.length === known.cells.length && cells.every((cell, index) => cell === known.cells[index]));
            areSame.set(known.cells, isSame);
            if (isSame) {
                return known.fire;
            }
        }
        const fire = compileSummand(withoutCounterTest(summand, model), compiler, cells.length);
        compiledSummands.set(summand, { cells, fire });
        return fire;
    };
}
