/** Memory that generated code has for itself: tables that are part of the module, and space to work in. */

/** Everything begins at an address that these divide. */
const ALIGNMENT = 64;

export class StaticData {
    readonly #start: number;
    #end: number;
    readonly #segments: { readonly address: number; readonly bytes: Uint8Array }[] = [];
    readonly #known = new Map<string, number>();

    /** What lies before `start` belongs to others. */
    constructor(start: number) {
        this.#start = Math.ceil(start / ALIGNMENT) * ALIGNMENT;
        this.#end = this.#start;
    }

    /** Where what it has handed out ends. */
    get end(): number {
        return this.#end;
    }

    /** What the memory holds there when the module begins. */
    get segments(): readonly { readonly address: number; readonly bytes: Uint8Array }[] {
        return this.#segments;
    }

    /** The address of so many bytes; they hold anything. */
    space(bytes: number): number {
        const address = this.#end;
        this.#end = Math.ceil((address + bytes) / ALIGNMENT) * ALIGNMENT;
        return address;
    }

    /** The address of a table of numbers of 32 bits; equal tables are one. */
    table(entries: readonly number[]): number {
        const key = entries.join();
        let address = this.#known.get(key);
        if (address === undefined) {
            address = this.space(4 * entries.length);
            const bytes = new DataView(new ArrayBuffer(4 * entries.length));
            entries.forEach((entry, i) => {
                bytes.setInt32(4 * i, entry, true);
            });
            this.#segments.push({ address, bytes: new Uint8Array(bytes.buffer) });
            this.#known.set(key, address);
        }
        return address;
    }
}
