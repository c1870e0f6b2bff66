/** The known name that a misspelled name probably means. */

/** The first candidate at the smallest edit distance, if that is small for a word of this length. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
    const limit = name.length <= 4 ? 1 : name.length <= 7 ? 2 : 3;
    let nearest: string | undefined;
    let nearestDistance = limit + 1;
    for (const candidate of new Set(candidates)) {
        if (Math.abs(candidate.length - name.length) > limit) {
            continue;
        }
        const distance =
            candidate.toLowerCase() === name.toLowerCase()
                ? 0
                : editDistance(name.slice(0, 64), candidate.slice(0, 64));
        if (distance < nearestDistance && (distance === 0 || distance < name.length)) {
            nearest = candidate;
            nearestDistance = distance;
        }
    }
    return nearest;
}

/** The number of insertions, deletions, substitutions and exchanges of neighbors between two words. */
export function editDistance(from: string, to: string): number {
    // Three rows of the table of dynamic programming: `previous[j]` is the distance of the prefixes i - 1 and j.
    let beforePrevious: number[] = [];
    let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
    for (let row = 1; row <= from.length; row++) {
        const current = [row];
        for (let column = 1; column <= to.length; column++) {
            const isSame = from[row - 1] === to[column - 1];
            let best = Math.min(
                (previous[column] ?? 0) + 1,
                (current[column - 1] ?? 0) + 1,
                (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
            );
            if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
                best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1);
            }
            current.push(best);
        }
        beforePrevious = previous;
        previous = current;
    }
    return previous[to.length] ?? 0;
}
