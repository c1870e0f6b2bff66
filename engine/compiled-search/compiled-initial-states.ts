/** Initial states by generated code: nested loops over the last choices append entries of a batch. */
import type { InitialRest } from '../explore/initial/initial-rest.js';
import { NO_PARENT } from '../explore/seen-set.js';
import { elementAt, FunctionBody, type WasmVariable } from '../webassembly/function-body.js';
import { ifThereIsMemory, webAssembly } from '../webassembly/host.js';
import { IMPORT_MODULE, MEMORY_NAME, ModuleWriter } from '../webassembly/module-writer.js';
import { type CodeContext, ExpressionCompiler, NotCompilable } from '../codegen/compile-expression.js';
import { compileAssignment } from '../codegen/compile-statement.js';
import { FaultSites } from '../codegen/faults.js';
import { StateCopy } from '../codegen/state-copy.js';
import { StaticData } from '../codegen/static-data.js';
import { importWideFunctions, wideFunctions } from './compiled-instance.js';
import type { CompiledModel } from './compiled-model.js';
import { ENTRY } from './memory-map.js';
import { WasmHeap } from './wasm-heap.js';

/** The address of a state with the first choices. */
const STATE = 64;
/** The most bytes of entries. */
const MOST_BYTES = 1 << 26;

export class CompiledInitialStates {
    readonly #words: Uint32Array;
    readonly #compiled: CompiledModel;
    /** The address of the first entry. */
    readonly #entries: number;
    /** Writes the entries and returns their end. */
    readonly #enumerate: () => number;
    /** The bounds of the remaining entries. */
    #next = 0;
    #end = 0;

    private constructor(words: Uint32Array, compiled: CompiledModel, entries: number, enumerate: () => number) {
        this.#words = words;
        this.#compiled = compiled;
        this.#entries = entries;
        this.#enumerate = enumerate;
    }

    /** For the choices of this rest; undefined if they cannot be compiled. */
    static of(rest: InitialRest, compiled: CompiledModel): CompiledInitialStates | undefined {
        const { model, layout, map } = compiled;
        const host = webAssembly();
        const bytes = map.entryBytes * rest.choices.reduce((product, { count }) => product * count, 1);
        if (host === undefined || bytes > MOST_BYTES) {
            return undefined;
        }
        const module = new ModuleWriter();
        const context = {
            cells: model.cells,
            bounded: model.cells,
            layout,
            sites: new FaultSites(),
            templates: [],
            ...importWideFunctions(module),
        };
        const data = new StaticData(STATE + 8 * layout.longCount);
        const entries = data.space(bytes);
        try {
            const enumerate = enumerationFunction(rest, entries, map.entryBytes, context, data);
            module.export('enumerate', module.add(enumerate, 'i32'));
        } catch (error) {
            if (error instanceof NotCompilable) {
                return undefined;
            }
            throw error;
        }
        data.writeTo(module);
        return ifThereIsMemory(() => {
            const pages = WasmHeap.unitsFor(data.end);
            const memory = new host.Memory({ initial: pages, maximum: pages, shared: false });
            const { exports } = new host.Instance(new host.Module(module.toBytes(pages, false)), {
                [IMPORT_MODULE]: { [MEMORY_NAME]: memory, ...wideFunctions() },
            });
            const enumerate = exports['enumerate'] as () => number;
            return new CompiledInitialStates(new Uint32Array(memory.buffer), compiled, entries, enumerate);
        });
    }

    /** Computes the entries for the first choices of this rest. */
    begin({ state }: InitialRest): void {
        this.#compiled.layout.packLong(state, this.#words, STATE / 4);
        this.#next = this.#entries;
        this.#end = this.#enumerate() >>> 0;
    }

    get isLeft(): boolean {
        return this.#next < this.#end;
    }

    /** The next entries, at most `bytes` unless one is longer; valid until the next `begin`. */
    entries(bytes: number): Uint32Array {
        const { entryBytes } = this.#compiled.map;
        const start = this.#next;
        this.#next = Math.min(this.#end, start + entryBytes * Math.max(1, Math.floor(bytes / entryBytes)));
        return this.#words.subarray(start / 4, this.#next / 4);
    }
}

/** A function that writes entries and returns their end. Throws NotCompilable. */
function enumerationFunction(
    { choices, consequences }: InitialRest,
    entries: number,
    entryBytes: number,
    context: CodeContext,
    data: StaticData,
): FunctionBody {
    const { layout } = context;
    const words = Array.from({ length: layout.longCount }, (_, word) => word);
    const f = new FunctionBody();
    const origins: (WasmVariable<'i64'> | undefined)[] = [];
    const copy = new StateCopy(f, layout, word => (origins[word] ??= f.loadedAtStart(STATE + 8 * word)));
    const end = f.variable(entries);
    f.block(faulty => {
        const compiler = new ExpressionCompiler(f, context, copy, { label: faulty, site: f.local('i32') });
        copy.prepare(words);
        const choose = (index: number): void => {
            if (index === choices.length) {
                words.forEach(word => {
                    f.store64(end, 8 * word, copy.word(word));
                });
                f.store32(end, 8 * layout.longCount + ENTRY.parent, NO_PARENT);
                f.store32(end, 8 * layout.longCount + ENTRY.summand, 0);
                end.add(entryBytes);
                return;
            }
            const { cell, codes, count } = choices[index];
            const taken = f.variable(0);
            f.while(taken.isLess(count), () => {
                f.block(next => {
                    const code = codes === undefined ? taken : elementAt(data.table(codes), taken);
                    copy.write(cell, f.variable(code.plus(layout.placements[cell].bias)));
                    for (const each of consequences[index]) {
                        if (each.kind === 'value') {
                            compileAssignment(each.cell, each.expression, each.range, compiler);
                            copy.settle(words);
                        } else {
                            compiler.branchIfFalse([each.expression], next);
                        }
                    }
                    choose(index + 1);
                });
                taken.add(1);
            });
        };
        choose(0);
    });
    f.result(end);
    return f;
}
