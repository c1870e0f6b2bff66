/** A hash of a vertex for sums over sets of vertices: part of the finalizer of MurmurHash3 (Appleby, public domain). */
export function scrambled(vertex: number): number {
    const product = Math.imul(vertex + 0x9e3779b9, 0x85ebca6b);
    return Math.imul(product ^ (product >>> 15), 0xc2b2ae35);
}
