/** Groups and their action on states from the definitions: every element, every image, every state. */

export function closure(generators: readonly (readonly number[])[], degree: number): number[][] {
    const start = Array.from({ length: degree }, (_, point) => point);
    const seen = new Map<string, number[]>([[start.join(), start]]);
    for (const element of seen.values()) {
        for (const generator of generators) {
            const product = element.map(image => generator[image]!);
            seen.set(product.join(), product);
        }
    }
    return [...seen.values()];
}

/** `image[literal]` moves; the image of a state holds the images of its literals, and no value where its cell held none. */
export function imageOfState(
    state: readonly number[],
    domainSizes: readonly number[],
    images: readonly number[],
): number[] {
    const first: number[] = [];
    let literalCount = 0;
    for (const size of domainSizes) {
        first.push(literalCount);
        literalCount += size;
    }
    const cellOf = (literal: number): number => first.filter(start => start <= literal).length - 1;
    const result = new Array<number>(state.length).fill(NaN);
    state.forEach((code, cell) => {
        const image = images[first[cell]! + Math.max(code, 0)]!;
        const target = cellOf(image);
        result[target] = code < 0 ? -1 : image - first[target]!;
    });
    return result;
}

/** All states over the given domains, those with cells without a value (-1) included if `lowest` is -1. */
export function allStates(domainSizes: readonly number[], lowest: 0 | -1): number[][] {
    return domainSizes.reduce<number[][]>(
        (states, size) =>
            states.flatMap(state => Array.from({ length: size - lowest }, (_, code) => [...state, code + lowest])),
        [[]],
    );
}

export function orbitsOfStates(
    states: readonly (readonly number[])[],
    domainSizes: readonly number[],
    elements: readonly (readonly number[])[],
): string[][] {
    const remaining = new Map(states.map(state => [state.join(), state]));
    const orbits: string[][] = [];
    for (const state of remaining.values()) {
        const orbit = new Set(elements.map(element => imageOfState(state, domainSizes, element).join()));
        orbit.forEach(key => remaining.delete(key));
        orbits.push([...orbit]);
    }
    return orbits;
}
