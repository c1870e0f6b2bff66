/**
 * The choice among the steps of a state (explore/stubborn.ts) as WebAssembly: it makes the same choices. The tables are data
 * of the module. Only the tests are code of the model; what is done with their outcomes is the same for all models.
 */
import { remembered } from '../common/list-map.js';
import type { StepSelection } from '../explore/stubborn.js';
import { supportOf } from '../sequential/cell-access.js';
import { mayFault } from '../sequential/expression/bounds.js';
import { countTestOf, partsOf } from '../sequential/expression/condition-parts.js';
import type { PathElement, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { emptySet, type StepRelations } from '../sequential/step-relations.js';
import {
    call,
    elementAt,
    FunctionBody,
    i32,
    type Int,
    type Label,
    load32,
    load8,
    type WasmVariable,
} from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { type CodeContext, ExpressionCompiler } from './compile-expression.js';
import { compilePath, declareTemporaries, LARGE_FUNCTION } from './compile-summands.js';
import { CURRENT } from './current-state.js';
import { lowestBit, SetFunctions } from './set-functions.js';
import { StateCopy } from './state-copy.js';
import type { StaticData } from './static-data.js';

/** Sets are of so many bytes; `possible`, `firing` and `faulty` have what the steps do in the state at CURRENT. */
export interface SelectionFunction {
    /** () → the address of the set of summands to take, 0 for all. */
    readonly choose: number;
    readonly possible: number;
    readonly firing: number;
    readonly faulty: number;
    readonly setBytes: number;
}

/** Outcomes of tests. */
const [FALSE, TRUE, FAULT] = [0, 1, 2];

/** The kinds of a condition, and the offsets in its record. */
const [ATOM, NOT, ALL, SOME, LEAST, MOST] = [0, 1, 2, 3, 4, 5];
const NODE = {
    kind: 0,
    test: 4,
    parts: 8,
    bound: 12,
    cells: 16,
    toTrue: 20,
    toFalse: 24,
    inside: 28,
    beside: 32,
} as const;

/** Records of a cell: its sets by code, the code of the first of them, their number, and 0 for one set, else -1. */
const CELL = { sets: 0, first: 4, count: 8, mask: 12, bytes: 16 } as const;

export function compileSelection(
    model: SequentialModel,
    selection: StepSelection,
    context: CodeContext,
    data: StaticData,
    module: ModuleWriter,
): SelectionFunction {
    return new SelectionCompiler(model, selection, context, data, module).compile();
}

class SelectionCompiler {
    readonly #model: SequentialModel;
    readonly #selection: StepSelection;
    readonly #context: CodeContext;
    readonly #data: StaticData;
    readonly #module: ModuleWriter;
    readonly #sets: SetFunctions;
    /** The guards, then the conditions. */
    readonly #tests: (readonly PathElement[])[];
    readonly #nodes = new Map<SequentialExpression, number>();
    /** The cells of lists. */
    readonly #read = new Set<number>();

    readonly #firing: number;
    readonly #faulty: number;
    /** By test its outcome, a byte; by cell its code. */
    #outcomes = 0;
    readonly #codes: number;
    #cells = 0;
    #notAccording = 0;
    /** The end of the sets in use, which are given back in the opposite order. */
    readonly #top: number;

    constructor(
        model: SequentialModel,
        selection: StepSelection,
        context: CodeContext,
        data: StaticData,
        module: ModuleWriter,
    ) {
        this.#model = model;
        this.#selection = selection;
        this.#context = context;
        this.#data = data;
        this.#module = module;
        this.#sets = new SetFunctions(selection.relations.summandCount, data, module);
        this.#tests = selection.relations.guards.map(({ elements }) => elements);
        [this.#firing, this.#faulty] = [0, 1].map(() => this.#sets.space());
        this.#codes = data.space(4 * model.cells.length);
        this.#top = data.space(4);
    }

    compile(): SelectionFunction {
        const { relations, checked } = this.#selection;
        const goals = checked.invariants.map(invariant => [
            this.#nodeOf(invariant),
            mayFault(invariant, this.#model.cells) ? this.#list(supportOf(invariant)) : 0,
        ]);
        const faulty = [...relations.faultPlaces].flatMap((places, summand) => (places > 0 ? [[summand, places]] : []));
        this.#outcomes = this.#data.space(this.#tests.length);
        this.#notAccording = this.#data.table(relations.notAccording.map(set => this.#sets.table(set)));
        const paths = this.#data.table(relations.paths.map(path => this.#pathsTable(path)));
        const guards = this.#data.table(
            relations.guards.flatMap(({ cells, enterers }) => [this.#sets.table(enterers), this.#list(cells)]),
        );
        const reads = this.#data.table(relations.reads.map(cells => this.#list(cells)));
        const stack = this.#data.space(this.#sets.bytes * this.#depthOf(checked.invariants));
        this.#cells = this.#cellTable();
        const ready = this.#testFunctions();
        const leaversInto = this.#leaversInto();
        const enable = this.#waysToEnable(paths, guards, reads, leaversInto);
        const close = this.#close(enable.target);
        const way = this.#way(leaversInto);
        const withWays = this.#withWays(goals, faulty, reads, { way, enable: enable.target, leaversInto });
        return {
            choose: this.#choose({ ready, close, withWays, known: enable.known, stack }),
            possible: this.#sets.possible,
            firing: this.#firing,
            faulty: this.#faulty,
            setBytes: this.#sets.bytes,
        };
    }

    /** The number of cells, then the cells. */
    #list(cells: readonly number[]): number {
        cells.forEach(cell => this.#read.add(cell));
        return this.#data.table([cells.length, ...cells]);
    }

    /** The number of paths, and for each the number of its guards and these, each with the cells that may fault before it. */
    #pathsTable(paths: StepRelations['paths'][number]): number {
        return this.#data.table([
            paths.length,
            ...paths.flatMap(path => [
                path.length,
                ...path.flatMap(({ guard, faultsBefore }) => [
                    guard,
                    faultsBefore.length === 0 ? 0 : this.#list(faultsBefore),
                ]),
            ]),
        ]);
    }

    /** The record of a condition, behind those of its parts. */
    #nodeOf(condition: SequentialExpression): number {
        return remembered(this.#nodes, condition, () => {
            const parts = this.#partsTable(partsOf(condition) ?? []);
            const atom = this.#selection.relations.atoms.get(condition);
            const test = this.#tests.push([{ kind: 'test', condition }]) - 1;
            const { kind, bound } = kindOf(condition);
            const none = emptySet(this.#selection.relations.summandCount);
            return this.#data.table([
                kind,
                test,
                parts,
                bound,
                this.#list(supportOf(condition)),
                this.#sets.table(atom?.toTrue ?? none),
                this.#sets.table(atom?.toFalse ?? none),
                this.#partsTable(atom?.inside.conditions ?? []),
                this.#list(atom?.inside.cells ?? []),
            ]);
        });
    }

    #partsTable(parts: readonly SequentialExpression[]): number {
        return this.#data.table([parts.length, ...parts.map(part => this.#nodeOf(part))]);
    }

    /** How many sets are in use at once while a way to a condition is looked for. */
    #depthOf(conditions: readonly SequentialExpression[]): number {
        return conditions.reduce((deepest, condition) => {
            const parts = partsOf(condition) ?? [];
            const inside = this.#selection.relations.atoms.get(condition)?.inside.conditions ?? [];
            // A set and its cost for each part, one for what is beside them.
            return Math.max(deepest, 2 * parts.length + 2 + this.#depthOf([...parts, ...inside]));
        }, 1);
    }

    #cellTable(): number {
        const { leavers } = this.#selection.relations;
        return this.#data.table(
            leavers.flatMap(known => {
                if (known.kind === 'any code') {
                    return [this.#data.table([this.#sets.table(known.all)]), 0, 1, 0];
                }
                const codes = [...known.byCode.keys()];
                const least = Math.min(...codes);
                const count = codes.length === 0 ? 0 : Math.max(...codes) - least + 1;
                const sets = Array.from({ length: count }, (_, index) => known.byCode.get(least + index));
                return [
                    this.#data.table(sets.map(set => (set === undefined ? 0 : this.#sets.table(set)))),
                    count === 0 ? 0 : least,
                    count,
                    -1,
                ];
            }),
        );
    }

    /** Functions that compute the outcomes of all tests, and the codes of the cells in lists. */
    #testFunctions(): readonly number[] {
        const targets: number[] = [];
        let f = new FunctionBody();
        let copyOf = copiesIn(f, this.#context);
        const next = (): void => {
            if (f.size > LARGE_FUNCTION) {
                targets.push(this.#module.add(f));
                f = new FunctionBody();
                copyOf = copiesIn(f, this.#context);
            }
        };
        for (const [number, elements] of this.#tests.entries()) {
            this.#test(f, copyOf(), elements, this.#outcomes + number);
            next();
        }
        for (const cell of this.#read) {
            const copy = copyOf();
            const { bias } = this.#context.layout.placements[cell];
            f.store32(0, this.#codes + 4 * cell, copy.stored(cell).minus(bias));
            copy.release();
            next();
        }
        return [...targets, this.#module.add(f)];
    }

    #test(f: FunctionBody, copy: StateCopy, elements: readonly PathElement[], address: number): void {
        f.block(done => {
            f.block(faulty => {
                f.block(disabled => {
                    const compiler = new ExpressionCompiler(f, this.#context, copy, {
                        label: faulty,
                        site: f.local('i32'),
                    });
                    declareTemporaries(copy, { path: elements, body: [] }, this.#context.cells);
                    compilePath(elements, compiler, disabled);
                    f.store8(0, address, TRUE);
                    f.branch(done);
                });
                f.store8(0, address, FALSE);
                f.branch(done);
            });
            f.store8(0, address, FAULT);
        });
        copy.release();
    }

    /** (list, set): adds all summands that may change one of the cells in the list. */
    #leaversInto(): number {
        const f = new FunctionBody(['i32', 'i32']);
        const [list, set] = [f.parameter(0), f.parameter(1)];
        forEachIn(f, list, 4, item => {
            const cell = f.variable(load32(item));
            const record = f.variable(cell.times(CELL.bytes).plus(this.#cells));
            const code = elementAt(this.#codes, cell);
            const index = f.variable(code.minus(load32(record, CELL.first)).and(load32(record, CELL.mask)));
            f.if(index.isLessUnsigned(load32(record, CELL.count)), () => {
                const leavers = f.variable(load32(load32(record, CELL.sets).plus(index.shiftedLeft(2))));
                f.if(leavers, () => {
                    this.#sets.add(f, leavers, set);
                });
            });
        });
        return this.#module.add(f);
    }

    /** (summand, set, way): what must happen before a disabled summand can fire. `known` are bytes to be cleared for a state. */
    #waysToEnable(
        paths: number,
        guards: number,
        reads: number,
        leaversInto: number,
    ): { readonly target: number; readonly known: { readonly address: number; readonly bytes: number } } {
        const { length } = this.#selection.relations.guards;
        const known = this.#data.space(length);
        const leaversOf = this.#data.space(length * this.#sets.bytes);
        const whole = this.#sets.space();
        const f = new FunctionBody(['i32', 'i32', 'i32']);
        const [summand, set, way] = [f.parameter(0), f.parameter(1), f.parameter(2)];
        const isFound = f.variable(0);
        const least = f.variable(0);
        const consider = (given: Int, faultsBefore: Int): void => {
            this.#sets.copy(f, given, whole);
            f.if(faultsBefore, () => {
                f.run(leaversInto, faultsBefore, whole);
            });
            const cost = f.variable(this.#sets.cost(whole, set));
            f.if(isFound.isZero().or(cost.isLess(least)), () => {
                this.#sets.copy(f, whole, way);
                least.set(cost);
                isFound.set(1);
            });
        };
        const place = f.variable(elementAt(paths, summand));
        const left = f.variable(load32(place));
        place.add(4);
        f.while(left, () => {
            left.add(-1);
            const end = f.variable(place.plus(4).plus(load32(place).shiftedLeft(3)));
            place.add(4);
            f.while(place.isNot(end), done => {
                const guard = f.variable(load32(place));
                const faultsBefore = f.variable(load32(place, 4));
                const outcome = f.variable(load8(guard, this.#outcomes));
                f.branchIf(outcome.is(FAULT), done);
                f.if(outcome.is(FALSE), () => {
                    const record = f.variable(guard.shiftedLeft(3).plus(guards));
                    const leavers = f.variable(guard.times(this.#sets.bytes).plus(leaversOf));
                    f.if(load8(guard, known).isZero(), () => {
                        f.store8(guard, known, 1);
                        this.#sets.clear(f, leavers);
                        f.run(leaversInto, load32(record, 4), leavers);
                    });
                    consider(load32(record), faultsBefore);
                    consider(leavers, faultsBefore);
                });
                place.add(8);
            });
            place.set(end);
        });
        f.if(isFound.isZero(), () => {
            this.#sets.clear(f, way);
            f.run(leaversInto, elementAt(reads, summand), way);
        });
        return { target: this.#module.add(f), known: { address: known, bytes: length } };
    }

    /** Returns 0 once a set has so many possible summands. */
    #givingUp(f: FunctionBody, set: Int, most: Int): () => void {
        return () => {
            f.if(this.#sets.countOfBoth(set, this.#sets.possible).isAtLeast(most), () => {
                f.return(0);
            });
        };
    }

    /** (set, most) → 1: the set is closed; 0: it has `most` possible summands. */
    #close(enable: number): number {
        const done = this.#sets.space();
        const way = this.#sets.space();
        const f = new FunctionBody(['i32', 'i32']);
        const [set, most] = [f.parameter(0), f.parameter(1)];
        const giveUp = this.#givingUp(f, set, most);
        giveUp();
        this.#sets.clear(f, done);
        const isOpen = f.variable(0);
        f.doWhile(() => {
            isOpen.set(0);
            this.#sets.forEachWord(f, offset => {
                const left = f.local('i32');
                f.forever(end => {
                    left.set(load32(set.plus(offset)).and(load32(offset, done).xor(-1)));
                    f.branchIf(left.isZero(), end);
                    const bit = f.variable(lowestBit(left));
                    const summand = f.variable(offset.shiftedLeft(3).plus(bit));
                    f.store32(offset, done, load32(offset, done).or(i32(1).shiftedLeft(bit)));
                    f.if(
                        load32(offset, this.#sets.possible).shiftedRight(bit).and(1),
                        () => {
                            this.#sets.add(f, elementAt(this.#notAccording, summand), set);
                        },
                        () => {
                            f.run(enable, summand, set, way);
                            this.#sets.add(f, way, set);
                        },
                    );
                    isOpen.set(1);
                    giveUp();
                });
            });
        }, isOpen);
        f.result(1);
        return this.#module.add(f, 'i32');
    }

    /** (condition, wanted, set, way) → 1, or 0 if the condition has the wanted value: what must happen before it has. */
    #way(leaversInto: number): number {
        const target = this.#module.announce(['i32', 'i32', 'i32', 'i32'], ['i32']);
        const f = new FunctionBody(['i32', 'i32', 'i32', 'i32']);
        const [node, wanted, set, way] = [f.parameter(0), f.parameter(1), f.parameter(2), f.parameter(3)];
        const sets = this.#sets;
        const outcomeOf = (condition: Int): Int => load8(load32(condition, NODE.test), this.#outcomes);
        const callFor = (condition: Int, value: Int, result: Int): Int => call(target, condition, value, set, result);
        const outcome = f.variable(outcomeOf(node));
        f.if(outcome.is(wanted), () => {
            f.return(0);
        });
        const start = f.variable(load32(this.#top));
        const take = (bytes: Int | number): Int => {
            const address = f.variable(load32(this.#top));
            f.store32(this.#top, 0, address.plus(bytes));
            return address;
        };
        const kind = f.variable(load32(node, NODE.kind));
        const parts = f.variable(load32(node, NODE.parts));
        const finish = (): void => {
            f.store32(this.#top, 0, start);
            f.return(1);
        };
        f.if(outcome.is(FAULT).or(kind.is(ATOM)), () => {
            sets.clear(f, way);
            f.run(leaversInto, load32(node, NODE.cells), way);
            f.if(outcome.is(FAULT), finish);
            const entering = f.variable(load32(node.minus(wanted.shiftedLeft(2)), NODE.toFalse));
            f.if(sets.cost(way, set).isLess(sets.cost(entering, set)).isZero(), () => {
                sets.copy(f, entering, way);
            });
            const inside = f.variable(load32(node, NODE.inside));
            f.if(load32(inside), () => {
                const all = f.variable(take(sets.bytes));
                const one = f.variable(take(sets.bytes));
                sets.clear(f, all);
                f.run(leaversInto, load32(node, NODE.beside), all);
                forEachIn(f, inside, 4, item => {
                    const part = f.variable(load32(item));
                    f.if(callFor(part, outcomeOf(part).isZero(), one), () => {
                        sets.add(f, one, all);
                    });
                });
                f.if(sets.cost(way, set).isLess(sets.cost(all, set)).isZero(), () => {
                    sets.copy(f, all, way);
                });
            });
            finish();
        });
        f.if(kind.is(NOT), () => {
            f.drop(callFor(load32(parts, 4), wanted.isZero(), way));
            finish();
        });
        const value = f.variable(wanted);
        /** How many of the ways that cost most may be left out; -1: only the cheapest is needed. */
        const leftOut = f.variable(kind.is(ALL).and(wanted).or(kind.is(SOME).and(wanted.isZero())).times(-1));
        f.if(kind.isAtLeast(LEAST), () => {
            const areTrue = f.variable(0);
            forEachIn(f, parts, 4, item => {
                areTrue.add(outcomeOf(load32(item)).is(TRUE));
            });
            value.set(kind.is(LEAST).is(wanted));
            const least = f.variable(load32(node, NODE.bound).plus(kind.is(MOST)));
            const changing = f.variable(least.minus(areTrue));
            f.if(value.isZero(), () => {
                changing.set(areTrue.minus(least).plus(1));
            });
            f.if(changing.isGreater(1), () => {
                leftOut.set(changing.minus(1));
            });
        });
        const ways = f.variable(load32(this.#top));
        const count = f.variable(0);
        forEachIn(f, parts, 4, item => {
            const each = f.variable(take(2 * sets.bytes));
            f.if(
                callFor(load32(item), value, each),
                () => {
                    f.store32(each.plus(sets.bytes), 0, sets.cost(each, set));
                    count.add(1);
                },
                () => {
                    f.store32(this.#top, 0, each);
                },
            );
        });
        const stride = 2 * sets.bytes;
        f.if(leftOut.isLess(0), () => {
            const best = f.variable(ways);
            const each = f.variable(ways);
            f.while(count, () => {
                f.if(load32(each, sets.bytes).isLess(load32(best, sets.bytes)), () => {
                    best.set(each);
                });
                each.add(stride);
                count.add(-1);
            });
            sets.copy(f, best, way);
            finish();
        });
        const end = f.variable(ways.plus(count.times(stride)));
        f.while(leftOut, () => {
            const worst = f.variable(ways);
            const each = f.variable(ways);
            f.while(each.isNot(end), () => {
                f.if(load32(each, sets.bytes).isAtLeast(load32(worst, sets.bytes)), () => {
                    worst.set(each);
                });
                each.add(stride);
            });
            f.if(ways.isNot(end), () => {
                f.store32(worst, sets.bytes, -1);
            });
            leftOut.add(-1);
        });
        sets.clear(f, way);
        f.while(ways.isNot(end), () => {
            f.if(load32(ways, sets.bytes).isAtLeast(0), () => {
                sets.add(f, ways, way);
            });
            ways.add(stride);
        });
        f.store32(this.#top, 0, start);
        f.result(1);
        this.#module.define(target, f);
        return target;
    }

    /** (set, most) → 1: the set has a way to each goal; 0: it has `most` possible summands. */
    #withWays(
        goals: readonly (readonly number[])[],
        faulty: readonly (readonly number[])[],
        reads: number,
        functions: Readonly<Record<'way' | 'enable' | 'leaversInto', number>>,
    ): number {
        const way = this.#sets.space();
        const f = new FunctionBody(['i32', 'i32']);
        const [set, most] = [f.parameter(0), f.parameter(1)];
        const giveUp = this.#givingUp(f, set, most);
        giveUp();
        forEachIn(f, f.variable(this.#data.table([goals.length, ...goals.flat()])), 8, goal => {
            f.if(call(functions.way, load32(goal), 0, set, way), () => {
                this.#sets.add(f, way, set);
                giveUp();
            });
            const cells = f.variable(load32(goal, 4));
            f.if(cells, () => {
                f.run(functions.leaversInto, cells, set);
                giveUp();
            });
        });
        forEachIn(f, f.variable(this.#data.table([faulty.length, ...faulty.flat()])), 8, (goal, next) => {
            const summand = f.variable(load32(goal));
            const isFault = this.#sets.has(this.#faulty, summand);
            f.branchIf(isFault.and(load32(goal, 4).is(1)), next);
            f.if(
                this.#sets.has(this.#sets.possible, summand),
                () => {
                    f.run(functions.leaversInto, elementAt(reads, summand), set);
                },
                () => {
                    f.run(functions.enable, summand, set, way);
                    this.#sets.add(f, way, set);
                },
            );
            giveUp();
        });
        f.result(1);
        return this.#module.add(f, 'i32');
    }

    #choose({
        ready,
        close,
        withWays,
        known,
        stack,
    }: {
        readonly ready: readonly number[];
        readonly close: number;
        readonly withWays: number;
        readonly known: { readonly address: number; readonly bytes: number };
        readonly stack: number;
    }): number {
        const { relations, checked } = this.#selection;
        const sets = this.#sets;
        const [best, first, tried] = [0, 1, 2].map(() => sets.space());
        const bound = relations.bound && sets.table(relations.bound.summands);
        const f = new FunctionBody();
        const fewest = f.variable(sets.countOfBoth(sets.possible, sets.possible));
        const chosen = f.variable(0);
        f.if(fewest.isAtMost(1), () => {
            f.return(0);
        });
        ready.forEach(target => {
            f.run(target);
        });
        f.clear(known.address, known.bytes);
        f.store32(this.#top, 0, stack);
        const consider = (set: number): void => {
            const count = f.variable(sets.countOfBoth(set, this.#sets.possible));
            f.if(count.isLess(fewest), () => {
                sets.copy(f, set, best);
                fewest.set(count);
                chosen.set(best);
            });
        };
        const hasKey = (set: number): Int => sets.countOfBoth(set, this.#firing);
        const succeeds = (target: number, set: number): Int => call(target, set, fewest);
        sets.clear(f, first);
        f.if(succeeds(withWays, first), () => {
            f.if(succeeds(close, first), () => {
                const withKey = (): void => {
                    consider(first);
                };
                if (!checked.deadlock) {
                    withKey();
                    return;
                }
                f.if(hasKey(first), withKey, () => {
                    sets.forEachIn(f, this.#firing, summand => {
                        sets.copy(f, first, tried);
                        sets.addOne(f, tried, summand);
                        f.if(succeeds(close, tried), () => {
                            consider(tried);
                        });
                    });
                });
            });
        });
        sets.forEachIn(f, sets.possible, summand => {
            f.if(fewest.isGreater(1), () => {
                sets.clear(f, tried);
                sets.addOne(f, tried, summand);
                f.block(next => {
                    f.branchUnless(succeeds(close, tried), next);
                    if (checked.deadlock) {
                        f.branchUnless(hasKey(tried), next);
                    }
                    if (bound !== undefined) {
                        const isFree = sets.haveOnePossible(tried, bound).isZero();
                        f.if(hasKey(tried).isNot(0).and(isFree), () => {
                            consider(tried);
                            f.branch(next);
                        });
                    }
                    f.branchUnless(succeeds(withWays, tried), next);
                    f.branchUnless(succeeds(close, tried), next);
                    consider(tried);
                });
            });
        });
        f.result(chosen);
        return this.#module.add(f, 'i32');
    }
}

/** `bound` of those that count. */
function kindOf(condition: SequentialExpression): { readonly kind: number; readonly bound: number } {
    const test = countTestOf(condition);
    if (test !== undefined) {
        return { kind: test.kind === 'least' ? LEAST : MOST, bound: test.bound };
    }
    const kinds: Partial<Record<SequentialExpression['kind'], number>> = {
        not: NOT,
        and: ALL,
        all: ALL,
        or: SOME,
        some: SOME,
    };
    return { kind: kinds[condition.kind] ?? ATOM, bound: 0 };
}

/** Copies of the state at CURRENT for one function. */
function copiesIn(f: FunctionBody, { layout }: CodeContext): () => StateCopy {
    const origins: (WasmVariable<'i64'> | undefined)[] = [];
    return () => new StateCopy(f, layout, word => (origins[word] ??= f.loadedAtStart(CURRENT + 8 * word)));
}

/** Calls `work` with the address of each entry of a list: its length, then entries of so many bytes. */
function forEachIn(f: FunctionBody, list: Int, stride: number, work: (entry: Int, next: Label) => void): void {
    const entry = f.variable(list.plus(4));
    const end = f.variable(entry.plus(load32(list).times(stride)));
    f.while(entry.isNot(end), () => {
        f.block(next => {
            work(entry, next);
        });
        entry.add(stride);
    });
}
