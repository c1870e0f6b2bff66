/** Permutations as reports write them, as numbers. */

/** Where the cycles take each of the names. A name is followed by another one or ends the cycle. */
export function imagesOf(cycles: string, numbers: ReadonlyMap<string, number>): number[] {
    const images = [...numbers.values()];
    for (const cycle of cycles.split(/(?<=\))(?=\()/)) {
        const inside = cycle.slice(1, -1);
        const named = [...numbers].flatMap(([name, number]) => {
            const at = ` ${inside} `.indexOf(` ${name} `);
            return at < 0 ? [] : [{ at, number }];
        });
        const members = named.sort((a, b) => a.at - b.at).map(({ number }) => number);
        members.forEach((member, index) => {
            images[member] = members[(index + 1) % members.length]!;
        });
    }
    return images;
}
