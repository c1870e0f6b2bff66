/** The values of options: from what was typed to what it means. Each throws what commander shows where it means nothing. */
import { InvalidArgumentError } from 'commander';
import { PASSES, type PassName } from '../../engine/passes/pass-names.js';

/** `NAME=VALUE` added to those given before. */
export function addParameter(
    text: string,
    previous: ReadonlyMap<string, string> = new Map<string, string>(),
): ReadonlyMap<string, string> {
    const match = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=(.*)$/su.exec(text);
    const name = match?.[1];
    const value = match?.[2]?.trim();
    if (name === undefined || value === undefined || value === '') {
        throw new InvalidArgumentError('Write it as NAME=VALUE, for example N=5.');
    }
    if (previous.has(name)) {
        throw new InvalidArgumentError(`Parameter '${name}' is given twice.`);
    }
    return new Map([...previous, [name, value]]);
}

/** In the order in which they run; undefined for the default. */
export function passNames(text: string): readonly PassName[] | undefined {
    switch (text) {
        case 'default':
            return undefined;
        case 'all':
            return PASSES;
        case 'none':
            return [];
        default:
            break;
    }
    const words = text.split(',').map(word => word.trim());
    const unknown = words.find(word => !PASSES.some(pass => pass === word));
    if (unknown !== undefined) {
        throw new InvalidArgumentError(
            `There is no '${unknown}'; write default, all, none, or some of ${PASSES.join(',')}.`,
        );
    }
    return PASSES.filter(pass => words.includes(pass));
}

/** A whole number from 1. */
export function positiveInteger(text: string): number {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!Number.isSafeInteger(value) || value < 1) {
        throw new InvalidArgumentError('Expected a whole number from 1.');
    }
    return value;
}

/** A walk is kept and printed as a whole. */
const LONGEST_WALK = 100_000;

export function walkLength(text: string): number {
    const value = positiveInteger(text);
    if (value > LONGEST_WALK) {
        throw new InvalidArgumentError('A walk has at most 100,000 steps.');
    }
    return value;
}

/** Each thread takes some 10 MB before it does anything. */
const MOST_THREADS = 64;

export function threadCount(text: string): number {
    const value = positiveInteger(text);
    if (value > MOST_THREADS) {
        throw new InvalidArgumentError('A search has at most 64 threads.');
    }
    return value;
}

/** The generator of random numbers has 2^32 different beginnings. */
export function seed(text: string): number {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(value < 2 ** 32)) {
        throw new InvalidArgumentError('Expected a whole number from 0, below 2^32.');
    }
    return value;
}

/** A number of seconds, with or without a fraction. */
export function positiveNumber(text: string): number {
    const value = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN;
    if (!(value > 0 && Number.isFinite(value))) {
        throw new InvalidArgumentError('Expected a number of seconds above 0.');
    }
    return value;
}

const BYTES_OF_SUFFIX: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Bytes, also as `512K`, `64M`, `2G`. */
export function memorySize(text: string): number {
    const match = /^(\d+)([KMG]?)$/i.exec(text);
    const bytes = Number(match?.[1]) * (BYTES_OF_SUFFIX[(match?.[2] ?? '').toUpperCase()] ?? NaN);
    if (!Number.isSafeInteger(bytes) || bytes < 1) {
        throw new InvalidArgumentError('Expected a number of bytes, or one with K, M or G.');
    }
    return bytes;
}
