/** Sorting of lists that are mostly short or sorted already: the sort of the library would allocate memory. */

/** Lists up to this length are sorted by insertion. */
const SHORT = 16;

/** Sorts the numbers in place, and returns them. */
export function sortAscending(numbers: number[]): number[] {
    if (numbers.length > SHORT) {
        return isAscending(numbers) ? numbers : numbers.sort((a, b) => a - b);
    }
    for (let end = 1; end < numbers.length; end++) {
        const number = numbers[end];
        let index = end;
        while (index > 0 && numbers[index - 1] > number) {
            numbers[index] = numbers[index - 1];
            index--;
        }
        numbers[index] = number;
    }
    return numbers;
}

/** Sorts a list by `compare` in place, and returns it. */
export function sortShort<Element>(list: Element[], compare: (a: Element, b: Element) => number): Element[] {
    if (list.length > SHORT) {
        return list.sort(compare);
    }
    for (let end = 1; end < list.length; end++) {
        const element = list[end];
        let index = end;
        while (index > 0 && compare(list[index - 1], element) > 0) {
            list[index] = list[index - 1];
            index--;
        }
        list[index] = element;
    }
    return list;
}

function isAscending(numbers: readonly number[]): boolean {
    for (let index = 1; index < numbers.length; index++) {
        if (numbers[index - 1] > numbers[index]) {
            return false;
        }
    }
    return true;
}

/** The index of `number` in an ascending list, or -1. O(1) in 0, 1, 2, …, else logarithmic. */
export function positionInAscending(numbers: ArrayLike<number>, number: number): number {
    if (numbers[number] === number) {
        return number;
    }
    let low = 0;
    let high = numbers.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return numbers[low] === number ? low : -1;
}

/** The intersection of two ascending lists. */
export function intersection(first: readonly number[], second: readonly number[]): readonly number[] {
    let position = 0;
    return first.filter(code => {
        while (position < second.length && second[position] < code) {
            position++;
        }
        return second[position] === code;
    });
}

/** The numbers that an ascending list has and a second one has not. */
export function difference(first: readonly number[], second: readonly number[]): readonly number[] {
    let position = 0;
    return first.filter(code => {
        while (position < second.length && second[position] < code) {
            position++;
        }
        return second[position] !== code;
    });
}

/** The union of two ascending lists; undefined if the second adds nothing. */
export function joined(known: readonly number[], codes: readonly number[]): number[] | undefined {
    let position = 0;
    for (let index = 0; index < codes.length; index++) {
        while (position < known.length && known[position] < codes[index]) {
            position++;
        }
        if (known[position] !== codes[index]) {
            return merged(known, codes);
        }
    }
    return undefined;
}

function merged(first: readonly number[], second: readonly number[]): number[] {
    const both: number[] = [];
    let position = 0;
    for (let index = 0; index < first.length; index++) {
        while (position < second.length && second[position] < first[index]) {
            both.push(second[position++]);
        }
        if (second[position] === first[index]) {
            position++;
        }
        both.push(first[index]);
    }
    while (position < second.length) {
        both.push(second[position++]);
    }
    return both;
}
