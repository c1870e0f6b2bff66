/** The choice of base points among several vertices. */
export class BasePoints {
    readonly #isPreferred: Uint8Array | undefined;

    /** `isPreferred[v]` is 1 if v is a preferred base point; undefined if there are no preferences. */
    constructor(isPreferred: Uint8Array | undefined) {
        this.#isPreferred = isPreferred;
    }

    get hasPreferences(): boolean {
        return this.#isPreferred !== undefined;
    }

    isPreferred(point: number): boolean {
        return this.#isPreferred?.[point] === 1;
    }

    /** The first preferred vertex of a range of `bundle`, or the first vertex if none is preferred. */
    among(bundle: Int32Array, start: number, end: number): number {
        if (this.#isPreferred !== undefined) {
            for (let i = start; i < end; i++) {
                if (this.#isPreferred[bundle[i]] === 1) {
                    return bundle[i];
                }
            }
        }
        return bundle[start];
    }
}
