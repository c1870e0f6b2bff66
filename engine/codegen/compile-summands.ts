/**
 * The summands of a model as WebAssembly functions that visit every firing of the state at CURRENT.
 *
 * An instance is a switch over its program counter, a summand a block in it. Instances share a function until it is
 * large; one that is too large alone gets a function for each location, and a location too large for one several.
 *
 *     block disabled
 *         block fault
 *             path: leaves for `disabled` or `fault`
 *             body: leaves for `fault`
 *             emit(words of the successor, summand); leaves for `disabled`
 *         end
 *         fault(summand, site)
 *     end
 */
import type { Participant, SequentialExpression, SequentialModel, Summand } from '../sequential/sequential-model.js';
import { Accesses } from './accesses.js';
import { type CodeContext, ExpressionCompiler } from './compile-expression.js';
import { compileAssignment, compileStatements } from './compile-statement.js';
import { NO_SITE, SITE_BITS } from './faults.js';
import { FunctionWriter, type Label, type Local } from '../webassembly/function-writer.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { StateCopy } from './state-copy.js';

/** Where the state to expand is in memory, its long words one after the other. */
export const CURRENT = 128;

/** Up to this many long words are passed as arguments. */
export const MOST_WORDS_PASSED = 4;

/** A function that grows beyond this many bytes is ended: optimizing compilers do badly on large functions. */
const LARGE_FUNCTION = 12 << 10;

/** The functions that firings are given to. */
export interface FiringSink {
    /**
     * (word …, summand), the successor's long words; with more than MOST_WORDS_PASSED words (summand), and the successor is
     * at CURRENT during the call.
     */
    readonly emit: number;
    /** (summand, site). */
    readonly fault: number;
}

/** The functions that together visit all firings of the state at CURRENT, in the order of the summands. */
export function compileSummands(
    model: SequentialModel,
    context: CodeContext,
    sink: FiringSink,
    module: ModuleWriter,
): readonly number[] {
    return new SummandCompiler(model, context, sink, module).compile();
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
    readonly #sink: FiringSink;
    readonly #module: ModuleWriter;
    readonly #finished: number[] = [];
    readonly #hasTemporaries: boolean;
    #f = new FunctionWriter();
    /** `#origins[word]` is the local that holds a word of the state at CURRENT. */
    #origins: (Local | undefined)[] = [];

    constructor(model: SequentialModel, context: CodeContext, sink: FiringSink, module: ModuleWriter) {
        this.#model = model;
        this.#context = context;
        this.#sink = sink;
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
        // Too large alone.
        const functions = group.summandsAt.map(numbers => this.#locationFunctions(numbers, group.counter >= 0));
        this.#dispatch(group, location => {
            for (const target of functions[location]) {
                this.#f.call(target);
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

    /** Runs the code of the location where the instance is. */
    #dispatch({ counter, summandsAt }: Group, writeLocation: (location: number) => void): void {
        const f = this.#f;
        if (counter < 0) {
            writeLocation(0);
            return;
        }
        const locations = [...summandsAt.keys()].filter(location => summandsAt[location].length > 0);
        const done = f.block();
        const labels = new Map<number, Label>(locations.map(location => [location, f.block()]));
        this.#newCopy().pushStored(counter);
        f.brTable(
            summandsAt.map((_, location) => labels.get(location) ?? done),
            done,
        );
        for (const location of locations.reverse()) {
            f.end();
            writeLocation(location);
            f.br(done);
        }
        f.end();
    }

    #begin(): void {
        this.#f = new FunctionWriter();
        this.#origins = [];
    }

    /** Defines the function that was begun, and returns its number. */
    #end(): number {
        const target = this.#module.announce({ parameters: [], results: [] });
        this.#module.define(target, this.#f);
        return target;
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

    #origin(word: number): Local {
        let local = this.#origins[word];
        if (local === undefined) {
            local = this.#f.loadedAtStart(CURRENT + 8 * word);
            this.#origins[word] = local;
        }
        return local;
    }

    #summand(number: number, isDispatched: boolean): void {
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
        const disabled = f.block();
        const faulty = f.block();
        const site = f.acquire('i32');
        const copy = this.#newCopy();
        const compiler = new ExpressionCompiler(f, this.#context, copy, { label: faulty, site });
        this.#declareTemporaries(copy, participant);
        compilePath(participant, isDispatched, compiler, disabled);
        compileStatements(participant.body, compiler);
        this.#emit(copy, number);
        f.br(disabled).end();
        f.i32(number).get(site).call(this.#sink.fault).end();
        copy.release();
        f.release(site);
    }

    /**
     * All on one copy: right where nothing faults and nobody reads what another one writes. False where that is not so;
     * what was written is then to be forgotten.
     */
    #together({ participants }: Summand, number: number, isDispatched: boolean): boolean {
        const accesses = participants.map(participant => new Accesses().addParticipant(participant));
        const isSeparate = accesses.every(({ read }, reader) =>
            accesses.every(({ written }, writer) => reader === writer || ![...written].some(cell => read.has(cell))),
        );
        if (!isSeparate) {
            return false;
        }
        const f = this.#f;
        const disabled = f.block();
        const site = f.acquire('i32');
        const copy = this.#newCopy();
        const compiler = new ExpressionCompiler(f, this.#context, copy, { label: disabled, site });
        for (const participant of participants) {
            this.#declareTemporaries(copy, participant);
        }
        const tests = participants.map((participant, index) => pathOf(participant, isDispatched && index === 0));
        if (participants.every(({ path }) => path.every(({ kind }) => kind === 'test'))) {
            compiler.branchIfFalse(
                tests.flatMap(path => path.flatMap(element => (element.kind === 'test' ? [element.condition] : []))),
                disabled,
            );
        } else {
            participants.forEach((participant, index) => {
                compilePath(participant, isDispatched && index === 0, compiler, disabled);
            });
        }
        for (const { body } of participants) {
            compileStatements(body, compiler);
        }
        this.#emit(copy, number);
        f.end();
        copy.release();
        f.release(site);
        return compiler.faultCount === 0;
    }

    /** Each on a copy of its own: first all paths, then the bodies of those whose path is no fault. */
    #onCopies({ participants }: Summand, number: number, isDispatched: boolean): void {
        const f = this.#f;
        const disabled = f.block();
        const worst = f.acquire('i32');
        const site = f.acquire('i32');
        f.i32(NO_SITE).set(worst);
        const states = participants.map((participant, index) => {
            const copy = this.#newCopy();
            const isFaulty = f.acquire('i32');
            this.#declareTemporaries(copy, participant);
            f.i32(1).set(isFaulty);
            const done = f.block();
            const faulty = f.block();
            const compiler = new ExpressionCompiler(f, this.#context, copy, { label: faulty, site });
            compilePath(participant, isDispatched && index === 0, compiler, disabled);
            f.i32(0).set(isFaulty).br(done).end();
            keepWorst(f, worst, site);
            f.end();
            return { copy, isFaulty, compiler };
        });
        participants.forEach(({ body }, index) => {
            const { isFaulty, compiler } = states[index];
            const done = f.block();
            const faulty = f.block();
            compiler.exit = { label: faulty, site };
            f.get(isFaulty).brIf(done);
            compileStatements(body, compiler);
            f.br(done).end();
            keepWorst(f, worst, site);
            f.end();
        });
        f.get(worst).i32(NO_SITE).op('i32_ne').if();
        f.i32(number).get(worst).call(this.#sink.fault).br(disabled).end();
        const [{ copy: united }, ...others] = states;
        for (const { copy } of others) {
            united.unite(copy);
        }
        this.#emit(united, number);
        f.end();
        for (const { copy, isFaulty } of states) {
            copy.release();
            f.release(isFaulty);
        }
        f.release(worst);
        f.release(site);
    }

    #declareTemporaries(copy: StateCopy, participant: Participant): void {
        if (!this.#hasTemporaries) {
            return;
        }
        const { read, written } = new Accesses().addParticipant(participant);
        for (const cell of [...read, ...written].sort((first, second) => first - second)) {
            if (this.#context.cells[cell].kind === 'temporary') {
                copy.declareTemporary(cell);
            }
        }
    }

    #emit(copy: StateCopy, number: number): void {
        const f = this.#f;
        const { longCount } = this.#context.layout;
        if (longCount <= MOST_WORDS_PASSED) {
            for (let word = 0; word < longCount; word++) {
                copy.pushWord(word);
            }
            f.i32(number).call(this.#sink.emit);
            return;
        }
        const changed = copy.changedWords();
        for (const word of changed) {
            f.i32(0);
            copy.pushWord(word);
            f.memory('i64_store', CURRENT + 8 * word);
        }
        f.i32(number).call(this.#sink.emit);
        for (const word of changed) {
            f.i32(0)
                .get(this.#origin(word))
                .memory('i64_store', CURRENT + 8 * word);
        }
    }
}

/** `isDispatched`: the test of the program counter, first of the path, is known to hold. */
function pathOf({ path }: Participant, isDispatched: boolean): Participant['path'] {
    return isDispatched ? path.slice(1) : path;
}

/** Leaves for `disabled` where a test fails. */
function compilePath(
    participant: Participant,
    isDispatched: boolean,
    compiler: ExpressionCompiler,
    disabled: Label,
): void {
    const path = pathOf(participant, isDispatched);
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
        compiler.settleChosen(accesses => {
            tests.forEach(test => accesses.addExpression(test));
        });
        compiler.branchIfFalse(tests, disabled);
        if (index < path.length) {
            const element = path[index++];
            if (element.kind === 'assign') {
                compiler.settleChosen(accesses => accesses.addExpression(element.value));
                compileAssignment(element.cell, element.value, element.range, compiler);
            }
        }
    }
}

/** Of several faults the first in the order of the kinds counts, of one kind the first that was met. */
function keepWorst(f: FunctionWriter, worst: Local, site: Local): void {
    f.get(site).get(worst);
    f.get(worst).i32(NO_SITE).op('i32_eq');
    f.get(site).i32(SITE_BITS).op('i32_shr_s').get(worst).i32(SITE_BITS).op('i32_shr_s', 'i32_lt_s', 'i32_or');
    f.op('select').set(worst);
}
