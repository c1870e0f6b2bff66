/** A WebAssembly module with one imported memory. Imports come first, then functions in the order of `announce`. */
import { invariant } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import { ByteWriter, OPCODE, TYPE_CODE, type ValueType } from './binary-format.js';
import type { FunctionBody } from './function-body.js';

interface FunctionType {
    readonly parameters: readonly ValueType[];
    readonly results: readonly ValueType[];
}

/** `\0asm`, version 1. */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10, data: 11 } as const;

/** The module and the names under which imports are looked up. */
export const IMPORT_MODULE = 'orbit';
export const MEMORY_NAME = 'memory';

export class ModuleWriter {
    readonly #types: FunctionType[] = [];
    readonly #typeNumbers = new Map<string, number>();
    readonly #imports: { readonly name: string; readonly type: number }[] = [];
    readonly #functions: { readonly type: number; body: ByteWriter | undefined }[] = [];
    readonly #exports: { readonly name: string; readonly target: number }[] = [];
    readonly #data: { readonly address: number; readonly bytes: Uint8Array }[] = [];

    /** The number of an imported function; all imports come before the first function of the module. */
    import(name: string, type: FunctionType): number {
        invariant(this.#functions.length === 0, 'imports come first');
        this.#imports.push({ name, type: this.#typeNumber(type) });
        return this.#imports.length - 1;
    }

    /** The number of a function that is defined later, so that others may call it. */
    announce(parameters: readonly ValueType[], results: readonly ValueType[] = []): number {
        this.#functions.push({ type: this.#typeNumber({ parameters, results }), body: undefined });
        return this.#imports.length + this.#functions.length - 1;
    }

    define(target: number, body: FunctionBody): void {
        const announced = this.#functions[target - this.#imports.length];
        invariant(announced.body === undefined, 'a function is defined once');
        announced.body = body.toBytes();
    }

    add(body: FunctionBody, result?: ValueType): number {
        const target = this.announce(body.parameters, result === undefined ? [] : [result]);
        this.define(target, body);
        return target;
    }

    export(name: string, target: number): void {
        this.#exports.push({ name, target });
    }

    /** The initial contents of the memory at an address. */
    data(address: number, bytes: Uint8Array): void {
        this.#data.push({ address, bytes });
    }

    /** The module; its memory has at most `maximumPages`, and threads share it if `isShared` holds. */
    toBytes(maximumPages: number, isShared: boolean): Uint8Array {
        const module = new ByteWriter(1 << 14);
        module.append(HEADER);
        section(module, SECTION.type, this.#types, (content, { parameters, results }) => {
            content.byte(0x60);
            for (const types of [parameters, results]) {
                content.unsigned(types.length);
                types.forEach(type => {
                    content.byte(TYPE_CODE[type]);
                });
            }
        });
        section(module, SECTION.import, [undefined, ...this.#imports], (content, imported) => {
            content.name(IMPORT_MODULE);
            content.name(imported?.name ?? MEMORY_NAME);
            if (imported === undefined) {
                content.append([0x02, isShared ? 0x03 : 0x01]);
                content.unsigned(0);
                content.unsigned(maximumPages);
            } else {
                content.byte(0x00);
                content.unsigned(imported.type);
            }
        });
        section(module, SECTION.function, this.#functions, (content, { type }) => {
            content.unsigned(type);
        });
        section(module, SECTION.export, this.#exports, (content, { name, target }) => {
            content.name(name);
            content.byte(0x00);
            content.unsigned(target);
        });
        section(module, SECTION.code, this.#functions, (content, { body }) => {
            invariant(body !== undefined, 'every function that was announced is defined');
            content.sized(body);
        });
        section(module, SECTION.data, this.#data, (content, { address, bytes }) => {
            content.append([0x00, OPCODE.i32_const]);
            content.signed(address);
            content.byte(OPCODE.end);
            content.unsigned(bytes.length);
            content.append(bytes);
        });
        return module.bytes().slice();
    }

    #typeNumber(type: FunctionType): number {
        const key = `${type.parameters.join(' ')}:${type.results.join(' ')}`;
        return remembered(this.#typeNumbers, key, () => this.#types.push(type) - 1);
    }
}

function section<T>(
    module: ByteWriter,
    id: number,
    entries: readonly T[],
    write: (content: ByteWriter, entry: T) => void,
): void {
    const content = new ByteWriter(256);
    content.unsigned(entries.length);
    for (const entry of entries) {
        write(content, entry);
    }
    module.byte(id);
    module.sized(content);
}
