/**
 * Going through what is left of the initial states as WebAssembly.
 *
 *     next(most, steps) → bytes    appends entries of a batch, at most `most` bytes, and makes so many choices at most
 *
 * What belongs to a choice is a *record* in memory, so that the code is the same whatever the model is, but for what follows
 * from choices: other cells, and demands. One record more than there are choices ends them. The choices made so far are in
 * the records; the packed state that they make lies beside them, and is what demands are asked of.
 *
 * The comparisons are those of LeastStates. One of an open symmetry is two addresses: that of the pair (where the content
 * comes from, what becomes of it) for the position it has come to, and that of the record there.
 */
import type { InitialRest, RestConsequence } from '../explore/initial-states.js';
import { NO_PARENT } from '../explore/seen-set.js';
import { FunctionWriter } from '../webassembly/function-writer.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { stateFunction } from '../codegen/compile-conditions.js';
import type { CodeContext } from '../codegen/compile-expression.js';
import { compileAssignment } from '../codegen/compile-statement.js';
import { ENTRY } from './memory-map.js';

/** Addresses. */
export const POSITION = {
    /** Of the record to go on with; 0 where no choice is left. */
    record: 0,
    /** 1 where it has to take another choice, 0 where it has none yet. */
    isTaken: 4,
    /** The first record whose choice may change. */
    floor: 8,
    state: 64,
} as const;

/** In a record. */
export const RECORD = {
    /** Which of the choices it has, and how many there are. */
    taken: 0,
    count: 4,
    /** The address of their codes; 0 where they are 0, 1, 2 … */
    codes: 8,
    /** The code it has. */
    code: 12,
    /** What is stored of the cell is its code plus this. */
    bias: 16,
    /** The address of its long word, the bits it has there, and the lowest of them. */
    word: 20,
    mask: 24,
    shift: 32,
    /** Where the symmetries begin that are open before it is made, and how many these are. */
    open: 40,
    openCount: 44,
    bytes: 48,
} as const;

/** Of a pair: the address of a record, and that of what becomes of the code 0; 0 where codes stay. */
export const PAIR = { source: 0, becomes: 4, bytes: 8 } as const;

/** Of an open symmetry. */
export const OPEN = { pair: 0, record: 4, bytes: 8 } as const;

/** Where things are in its memory. */
export interface RestMap {
    /** The first record of all. */
    readonly records: number;
    /** The entries; behind the last one there is nothing. */
    readonly entries: number;
    readonly entryBytes: number;
}

/** Defines and exports it. Throws NotCompilable. */
export function compileInitialStates(
    rest: Pick<InitialRest, 'choices' | 'consequences' | 'comparisons'>,
    map: RestMap,
    context: CodeContext,
    module: ModuleWriter,
): void {
    const isWanted = rest.comparisons && define(isWantedFunction(), module);
    const follow = followFunction(rest.consequences, map, context, module);
    const checks = [isWanted, follow].filter(check => check !== undefined);
    const next = module.announce({ parameters: ['i32', 'i32'], results: ['i32'] });
    module.define(next, nextFunction(rest.choices.length, checks, map, context.layout.longCount));
    module.export('next', next);
}

function define(f: FunctionWriter, module: ModuleWriter): number {
    const target = module.announce({ parameters: f.parameters, results: ['i32'] });
    module.define(target, f);
    return target;
}

/** `checks` are functions (record) → 1 where it may go on with the choice that was made there. */
function nextFunction(
    choiceCount: number,
    checks: readonly number[],
    { records, entries, entryBytes }: RestMap,
    longCount: number,
): FunctionWriter {
    const f = new FunctionWriter(['i32', 'i32']);
    const mostBytes = f.parameter(0);
    const steps = f.parameter(1);
    const record = f.acquire('i32');
    const isTaken = f.acquire('i32');
    const code = f.acquire('i32');
    const bytes = f.acquire('i32');
    const word = f.acquire('i32');
    const paused = f.block();
    f.i32(0).memory('i32_load', POSITION.record).tee(record).op('i32_eqz').brIf(paused);
    f.i32(0).memory('i32_load', POSITION.isTaken).set(isTaken);
    const eachStep = f.loop();
    f.get(steps).op('i32_eqz').brIf(paused);
    f.get(steps).i32(1).op('i32_sub').set(steps);
    const failed = f.block();
    f.get(isTaken).if();
    f.get(record).memory('i32_load', RECORD.taken).i32(1).op('i32_add').tee(code);
    f.get(record).memory('i32_load', RECORD.count).op('i32_ge_u').if();
    // It has had them all: another choice for the one before.
    f.get(record).i32(RECORD.bytes).op('i32_sub').tee(record).i32(0).memory('i32_load', POSITION.floor);
    f.op('i32_lt_u').if();
    f.i32(0).set(record).br(paused).end();
    f.br(eachStep).end();
    f.else().i32(0).set(code).end();
    f.get(record).get(code).memory('i32_store', RECORD.taken);
    f.get(record).memory('i32_load', RECORD.codes).if();
    f.get(record)
        .memory('i32_load', RECORD.codes)
        .get(code)
        .i32(2)
        .op('i32_shl', 'i32_add')
        .memory('i32_load')
        .set(code);
    f.end();
    f.get(record).get(code).memory('i32_store', RECORD.code);
    f.get(record).memory('i32_load', RECORD.word).tee(word);
    f.get(word).memory('i64_load').get(record).memory('i64_load', RECORD.mask).i64(-1n).op('i64_xor', 'i64_and');
    f.get(code).get(record).memory('i32_load', RECORD.bias).op('i32_add', 'i64_extend_i32_u');
    f.get(record).memory('i64_load', RECORD.shift).op('i64_shl').get(record).memory('i64_load', RECORD.mask);
    f.op('i64_and', 'i64_or').memory('i64_store');
    f.i32(1).set(isTaken);
    for (const check of checks) {
        f.get(record).call(check).op('i32_eqz').brIf(failed);
    }
    const last = records + (choiceCount - 1) * RECORD.bytes;
    f.get(record).i32(last).op('i32_ne').if();
    f.get(record).i32(RECORD.bytes).op('i32_add').set(record).i32(0).set(isTaken).br(eachStep).end();
    for (let long = 0; long < longCount; long++) {
        f.get(bytes)
            .i32(0)
            .memory('i64_load', POSITION.state + 8 * long)
            .memory('i64_store', entries + 8 * long);
    }
    const tail = entries + 8 * longCount;
    f.get(bytes)
        .i32(NO_PARENT | 0)
        .memory('i32_store', tail + ENTRY.parent);
    f.get(bytes)
        .i32(0)
        .memory('i32_store', tail + ENTRY.summand);
    f.get(bytes).i32(entryBytes).op('i32_add').tee(bytes).get(mostBytes).op('i32_ge_u').brIf(paused);
    f.end();
    f.br(eachStep).end().end();
    f.i32(0).get(record).memory('i32_store', POSITION.record);
    f.i32(0).get(isTaken).memory('i32_store', POSITION.isTaken);
    return f.get(bytes);
}

/** Whether a state that begins with these choices may have to be given. Open symmetries stay so, or are left out. */
function isWantedFunction(): FunctionWriter {
    const f = new FunctionWriter(['i32']);
    const record = f.parameter(0);
    const [end, open, openEnd, kept, pair, at, source, code] = Array.from({ length: 8 }, () => f.acquire('i32'));
    f.get(record).i32(RECORD.bytes).op('i32_add').set(end);
    f.get(record).memory('i32_load', RECORD.open).tee(open);
    f.get(record).memory('i32_load', RECORD.openCount).i32(OPEN.bytes).op('i32_mul', 'i32_add').set(openEnd);
    f.get(end).memory('i32_load', RECORD.open).set(kept);
    const done = f.block();
    const eachOpen = f.loop();
    f.get(open).get(openEnd).op('i32_eq').brIf(done);
    f.get(open).memory('i32_load', OPEN.pair).set(pair);
    f.get(open).memory('i32_load', OPEN.record).set(at);
    f.get(open).i32(OPEN.bytes).op('i32_add').set(open);
    const undecided = f.block();
    const eachPosition = f.loop();
    f.get(at).get(end).op('i32_ge_u').brIf(undecided);
    f.get(pair).memory('i32_load', PAIR.source).tee(source).get(end).op('i32_ge_u').brIf(undecided);
    f.get(source).memory('i32_load', RECORD.code).set(code);
    f.get(pair).memory('i32_load', PAIR.becomes).if();
    f.get(pair).memory('i32_load', PAIR.becomes).get(code).i32(2).op('i32_shl', 'i32_add').memory('i32_load').set(code);
    f.end();
    f.get(code).get(at).memory('i32_load', RECORD.code).op('i32_sub').tee(code).if();
    // The image is greater, and the symmetry is done with; or it is less.
    f.get(code).i32(0).op('i32_gt_s').brIf(eachOpen);
    f.i32(0).op('return').end();
    f.get(pair).i32(PAIR.bytes).op('i32_add').set(pair);
    f.get(at).i32(RECORD.bytes).op('i32_add').set(at);
    f.br(eachPosition).end().end();
    f.get(kept).get(pair).memory('i32_store', OPEN.pair);
    f.get(kept).get(at).memory('i32_store', OPEN.record);
    f.get(kept).i32(OPEN.bytes).op('i32_add').set(kept);
    f.br(eachOpen).end().end();
    f.get(end).get(kept).get(end).memory('i32_load', RECORD.open).op('i32_sub');
    f.i32(Math.log2(OPEN.bytes)).op('i32_shr_u').memory('i32_store', RECORD.openCount);
    return f.i32(1);
}

/** Sets what follows from the choice of a record, and asks what must hold then; absent where nothing follows from any. */
function followFunction(
    consequences: InitialRest['consequences'],
    { records }: RestMap,
    context: CodeContext,
    module: ModuleWriter,
): number | undefined {
    const own = consequences.map(each => (each.length === 0 ? undefined : define(consequence(each, context), module)));
    if (own.every(target => target === undefined)) {
        return undefined;
    }
    const f = new FunctionWriter(['i32']);
    const none = f.block();
    const arms = own.map(target => (target === undefined ? none : f.block()));
    f.get(f.parameter(0)).i32(records).op('i32_sub').i32(RECORD.bytes).op('i32_div_s');
    // The last block that was opened ends first.
    const ends = own.filter(target => target !== undefined).reverse();
    f.brTable(arms, none);
    for (const target of ends) {
        f.end();
        f.i32(POSITION.state).call(target).op('return');
    }
    f.end();
    return define(f.i32(1), module);
}

/** A function of the address of the state, to which it adds the values → 1 where all demands hold. */
function consequence(consequences: readonly RestConsequence[], context: CodeContext): FunctionWriter {
    return stateFunction(context, (compiler, failed, address) => {
        const { f, copy } = compiler;
        for (const each of consequences) {
            if (each.kind === 'value') {
                compileAssignment(each.cell, each.expression, each.range, compiler);
            } else {
                compiler.branchIfFalse([each.expression], failed);
            }
        }
        for (const word of copy.changedWords()) {
            f.get(address);
            copy.pushWord(word);
            f.memory('i64_store', 8 * word);
        }
    });
}
