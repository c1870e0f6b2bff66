/**
 * The summands of a model as WebAssembly functions that visit every firing of the state at CURRENT.
 *
 * An instance is a switch over its program counter, with a block for each summand. Instances share a function until it
 * is large. An instance that is too large for one gets a function for each location, or several.
 */
import { sortAscending } from '../common/ascending.js';
import { remembered } from '../common/list-map.js';
import { cellsWrittenBy } from '../sequential/cell-access.js';
import type {
    Cell,
    Participant,
    PathElement,
    SequentialExpression,
    SequentialModel,
    Summand,
} from '../sequential/sequential-model.js';
import { cellsReadBy } from './accesses.js';
import { type CodeContext, ExpressionCompiler } from './compile-expression.js';
import { compileAssignment, compileStatements } from './compile-statement.js';
import { keepWorst, NO_SITE } from './faults.js';
import { FunctionBody, i32, type Label, type WasmVariable } from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { CURRENT } from './current-state.js';
import { StateCopy } from './state-copy.js';

/** Up to this many long words are passed as arguments. */
export const MOST_WORDS_PASSED = 4;

/** A function is ended if it is larger: optimizing compilers are slow on large functions. */
export const LARGE_FUNCTION = 12 << 10;

export interface FiringSink {
    /** (word …, summand); with more than MOST_WORDS_PASSED words (summand), and the successor is at CURRENT. */
    readonly emit: number;
    /** (summand, site). */
    readonly fault: number;
}

/** Where the firings of each summand go. */
export interface FiringSinks {
    readonly of: (summand: number) => FiringSink;
    /**
     * Of a summand that fires in the state at CURRENT and in others that it stands for: writes code that runs a function,
     * the summand in the state at CURRENT, in all of them. Undefined for the others.
     */
    readonly inOthers: (summand: number) => ((f: FunctionBody, target: number) => void) | undefined;
}

/** The functions that together visit all firings of the state at CURRENT, in the order of the summands. */
export function compileSummands(
    model: SequentialModel,
    context: CodeContext,
    sinks: FiringSinks,
    module: ModuleWriter,
): readonly number[] {
    return new SummandCompiler(model, context, sinks, module).compile();
}

interface Group {
    /** The cell of the program counter, or -1. */
    readonly counter: number;
    /** By location, the summands that begin there. */
    readonly summandsAt: readonly (readonly number[])[];
}

class SummandCompiler {
    readonly #model: SequentialModel;
    readonly #context: CodeContext;
    readonly #sinks: FiringSinks;
    readonly #module: ModuleWriter;
    readonly #finished: number[] = [];
    /** By summand its own function, of those that have one. */
    readonly #own = new Map<number, number>();
    readonly #hasTemporaries: boolean;
    #f = new FunctionBody();
    /** By word of the state at CURRENT: the variable that holds it. */
    #origins: (WasmVariable<'i64'> | undefined)[] = [];

    constructor(model: SequentialModel, context: CodeContext, sinks: FiringSinks, module: ModuleWriter) {
        this.#model = model;
        this.#context = context;
        this.#sinks = sinks;
        this.#module = module;
        this.#hasTemporaries = model.cells.some(({ kind }) => kind === 'temporary');
    }

    compile(): readonly number[] {
        const { instances, summands } = this.#model;
        const groups = instances.map(({ counter, locations }) => ({
            counter,
            summandsAt: locations.map((): number[] => []),
        }));
        summands.forEach(({ participants: [first] }, number) => {
            groups[first.instance].summandsAt[first.source].push(number);
        });
        for (const group of groups.filter(({ summandsAt }) => summandsAt.some(numbers => numbers.length > 0))) {
            this.#addGroup(group);
        }
        this.#finish();
        return this.#finished;
    }

    #addGroup(group: Group): void {
        const mark = this.#f.mark();
        this.#dispatch(group, location => {
            for (const number of group.summandsAt[location]) {
                this.#summand(number, group.counter >= 0);
            }
        });
        if (this.#f.size <= LARGE_FUNCTION) {
            return;
        }
        this.#f.rollback(mark);
        if (mark.length > 0) {
            this.#finish();
            this.#addGroup(group);
            return;
        }
        // The group is too large for one function.
        const functions = group.summandsAt.map(numbers => this.#locationFunctions(numbers, group.counter >= 0));
        this.#dispatch(group, location => {
            for (const target of functions[location]) {
                this.#f.run(target);
            }
        });
        this.#finish();
    }

    #locationFunctions(summands: readonly number[], isDispatched: boolean): number[] {
        const targets: number[] = [];
        const outer = { f: this.#f, origins: this.#origins };
        this.#begin();
        for (const number of summands) {
            this.#summand(number, isDispatched);
            if (this.#f.size > LARGE_FUNCTION) {
                targets.push(this.#end());
                this.#begin();
            }
        }
        if (this.#f.size > 0) {
            targets.push(this.#end());
        }
        this.#f = outer.f;
        this.#origins = outer.origins;
        return targets;
    }

    /** Runs the code of the present location of the instance. */
    #dispatch({ counter, summandsAt }: Group, writeLocation: (location: number) => void): void {
        if (counter < 0) {
            writeLocation(0);
            return;
        }
        const locations = [...summandsAt.keys()].filter(location => summandsAt[location].length > 0).reverse();
        const armOf = summandsAt.map((_, location) => {
            const arm = locations.indexOf(location);
            return arm < 0 ? undefined : arm;
        });
        const arms = locations.map(location => (): void => {
            writeLocation(location);
        });
        this.#f.switch(this.#newCopy().stored(counter), armOf, arms);
    }

    #begin(): void {
        this.#f = new FunctionBody();
        this.#origins = [];
    }

    #end(): number {
        return this.#module.add(this.#f);
    }

    #finish(): void {
        if (this.#f.size > 0) {
            this.#finished.push(this.#end());
            this.#begin();
        }
    }

    #newCopy(): StateCopy {
        const f = this.#f;
        return new StateCopy(f, this.#context.layout, word => this.#origin(word));
    }

    #origin(word: number): WasmVariable<'i64'> {
        return (this.#origins[word] ??= this.#f.loadedAtStart(CURRENT + 8 * word));
    }

    #summand(number: number, isDispatched: boolean): void {
        const runInAll = this.#sinks.inOthers(number);
        if (runInAll === undefined) {
            this.#inCurrent(number, isDispatched);
            return;
        }
        const target = remembered(this.#own, number, () => {
            const outer = { f: this.#f, origins: this.#origins };
            this.#begin();
            this.#inCurrent(number, isDispatched);
            const own = this.#end();
            this.#f = outer.f;
            this.#origins = outer.origins;
            return own;
        });
        runInAll(this.#f, target);
    }

    #inCurrent(number: number, isDispatched: boolean): void {
        const summand = this.#model.summands[number];
        if (summand.participants.length === 1) {
            this.#alone(summand.participants[0], number, isDispatched);
            return;
        }
        const mark = this.#f.mark();
        if (!this.#together(summand, number, isDispatched)) {
            this.#f.rollback(mark);
            this.#onCopies(summand, number, isDispatched);
        }
    }

    #alone(participant: Participant, number: number, isDispatched: boolean): void {
        const f = this.#f;
        const copy = this.#newCopy();
        f.block(disabled => {
            const site = f.local('i32');
            f.block(faulty => {
                const compiler = new ExpressionCompiler(f, this.#context, copy, { label: faulty, site });
                this.#declareTemporaries(copy, participant);
                compilePath(pathOf(participant, isDispatched), compiler, disabled);
                compileStatements(participant.body, compiler);
                this.#emitInside(copy, number, compiler);
                f.branch(disabled);
            });
            f.run(this.#sinks.of(number).fault, number, site);
        });
        copy.release();
    }

    /** All on one copy; false, to be rolled back, if something may fault or read a cell that another one writes. */
    #together({ participants }: Summand, number: number, isDispatched: boolean): boolean {
        const read = participants.map(cellsReadBy);
        const isSeparate = participants.every((participant, writer) =>
            cellsWrittenBy(participant).every(cell =>
                read.every((cells, reader) => reader === writer || !cells.has(cell)),
            ),
        );
        if (!isSeparate) {
            return false;
        }
        const f = this.#f;
        const copy = this.#newCopy();
        let faultCount = 0;
        f.block(disabled => {
            const exit = { label: disabled, site: f.local('i32') };
            const compiler = new ExpressionCompiler(f, this.#context, copy, exit);
            for (const participant of participants) {
                this.#declareTemporaries(copy, participant);
            }
            const path = participants.flatMap((participant, index) => pathOf(participant, isDispatched && index === 0));
            if (path.every(({ kind }) => kind === 'test')) {
                compiler.branchIfFalse(
                    path.flatMap(element => (element.kind === 'test' ? [element.condition] : [])),
                    disabled,
                );
            } else {
                participants.forEach((participant, index) => {
                    compilePath(pathOf(participant, isDispatched && index === 0), compiler, disabled);
                });
            }
            for (const { body } of participants) {
                compileStatements(body, compiler);
            }
            this.#emitInside(copy, number, compiler);
            ({ faultCount } = compiler);
        });
        copy.release();
        return faultCount === 0;
    }

    /** Each participant on its own copy: first all paths, then the bodies after paths without a fault. */
    #onCopies({ participants }: Summand, number: number, isDispatched: boolean): void {
        const f = this.#f;
        const copies = participants.map(() => this.#newCopy());
        f.block(disabled => {
            const worst = f.variable(NO_SITE);
            const site = f.local('i32');
            /** Writes code that may leave with a fault. */
            const withFaults = (compiler: ExpressionCompiler, write: () => void): void => {
                f.block(done => {
                    f.block(faulty => {
                        compiler.exit = { label: faulty, site };
                        write();
                        f.branch(done);
                    });
                    keepWorst(worst, site);
                });
            };
            const states = participants.map((participant, index) => {
                const compiler = new ExpressionCompiler(f, this.#context, copies[index], { label: disabled, site });
                this.#declareTemporaries(copies[index], participant);
                const isFaulty = f.variable(1);
                withFaults(compiler, () => {
                    compilePath(pathOf(participant, isDispatched && index === 0), compiler, disabled);
                    isFaulty.set(0);
                });
                return { compiler, isFaulty };
            });
            participants.forEach(({ body }, index) => {
                const { compiler, isFaulty } = states[index];
                f.block(done => {
                    f.branchIf(isFaulty, done);
                    withFaults(compiler, () => {
                        compileStatements(body, compiler);
                    });
                });
            });
            f.if(worst.isNot(NO_SITE), () => {
                f.run(this.#sinks.of(number).fault, number, worst);
                f.branch(disabled);
            });
            const [united, ...others] = copies;
            for (const copy of others) {
                united.unite(copy);
            }
            f.block(faulty => {
                const exit = { label: faulty, site };
                this.#emitInside(united, number, new ExpressionCompiler(f, this.#context, united, exit));
                f.branch(disabled);
            });
            f.run(this.#sinks.of(number).fault, number, site);
        });
        for (const copy of copies) {
            copy.release();
        }
    }

    #declareTemporaries(copy: StateCopy, participant: Participant): void {
        if (this.#hasTemporaries) {
            declareTemporaries(copy, participant, this.#context.cells);
        }
    }

    /** Emits the successor, or `outside` if the constraint of the model cuts the firing off. */
    #emitInside(copy: StateCopy, number: number, compiler: ExpressionCompiler): void {
        const { constraint } = this.#model;
        if (constraint === undefined) {
            this.#emit(copy, number);
            return;
        }
        const f = this.#f;
        f.block(done => {
            f.block(outside => {
                compiler.branchIfFalse([constraint.expression], outside);
                this.#emit(copy, number);
                f.branch(done);
            });
            f.run(this.#sinks.of(number).fault, number, i32(this.#context.sites.numberOf('outside', constraint.range)));
        });
    }

    #emit(copy: StateCopy, number: number): void {
        const f = this.#f;
        const { longCount } = this.#context.layout;
        if (longCount <= MOST_WORDS_PASSED) {
            const words = Array.from({ length: longCount }, (_, word) => copy.word(word));
            f.run(this.#sinks.of(number).emit, ...words, number);
            return;
        }
        const changed = copy.changedWords();
        for (const word of changed) {
            f.store64(0, CURRENT + 8 * word, copy.word(word));
        }
        f.run(this.#sinks.of(number).emit, number);
        for (const word of changed) {
            f.store64(0, CURRENT + 8 * word, this.#origin(word));
        }
    }
}

/** With `isDispatched`, without the test of the program counter, which comes first and is known to hold. */
function pathOf({ path }: Participant, isDispatched: boolean): Participant['path'] {
    return isDispatched ? path.slice(1) : path;
}

/** The temporaries that are used in a path and a body begin without values. */
export function declareTemporaries(
    copy: StateCopy,
    part: Pick<Participant, 'path' | 'body'>,
    cells: readonly Cell[],
): void {
    for (const cell of sortAscending([...cellsReadBy(part), ...cellsWrittenBy(part)])) {
        if (cells[cell].kind === 'temporary') {
            copy.declareTemporary(cell);
        }
    }
}

/** Branches to `disabled` unless all elements hold, one after the other; initializations change the copy of the compiler. */
export function compilePath(path: readonly PathElement[], compiler: ExpressionCompiler, disabled: Label): void {
    let index = 0;
    while (index < path.length) {
        const tests: SequentialExpression[] = [];
        for (; index < path.length; index++) {
            const element = path[index];
            if (element.kind !== 'test') {
                break;
            }
            tests.push(element.condition);
        }
        compiler.settleChosen(tests);
        compiler.branchIfFalse(tests, disabled);
        if (index < path.length) {
            const element = path[index++];
            if (element.kind === 'assign') {
                compiler.settleChosen([element.value]);
                compileAssignment(element.cell, element.value, element.range, compiler);
            }
        }
    }
}
