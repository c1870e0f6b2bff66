/**
 * A scrambled form of a vertex, so that sums over different sets of vertices hardly ever agree: part of the finalizer of
 * MurmurHash3 (Appleby, public domain).
 */
export function scrambled(vertex: number): number {
    const product = Math.imul(vertex + 0x9e3779b9, 0x85ebca6b);
    return Math.imul(product ^ (product >>> 15), 0xc2b2ae35);
}
