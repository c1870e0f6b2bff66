/** The memory of generated code: tables in the module, and space for intermediate results. */
import { remembered } from '../common/list-map.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';

/** Divides the address of each table and space. */
const ALIGNMENT = 64;

export class StaticData {
    readonly #start: number;
    #end: number;
    readonly #segments: { readonly address: number; readonly bytes: Uint8Array }[] = [];
    readonly #known = new Map<string, number>();

    /** The memory before `start` has other uses. */
    constructor(start: number) {
        this.#start = Math.ceil(start / ALIGNMENT) * ALIGNMENT;
        this.#end = this.#start;
    }

    get end(): number {
        return this.#end;
    }

    writeTo(module: ModuleWriter): void {
        for (const { address, bytes } of this.#segments) {
            module.data(address, bytes);
        }
    }

    /** The address of a space of so many bytes with any contents. */
    space(bytes: number): number {
        const address = this.#end;
        this.#end = Math.ceil((address + bytes) / ALIGNMENT) * ALIGNMENT;
        return address;
    }

    /** The address of a table of 32-bit numbers; equal tables are one. */
    table(entries: readonly number[]): number {
        return remembered(this.#known, entries.join(), () => {
            const address = this.space(4 * entries.length);
            const bytes = new DataView(new ArrayBuffer(4 * entries.length));
            entries.forEach((entry, i) => {
                bytes.setInt32(4 * i, entry, true);
            });
            this.#segments.push({ address, bytes: new Uint8Array(bytes.buffer) });
            return address;
        });
    }
}
