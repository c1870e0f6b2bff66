/** The values of options: from the typed text to a value. Each reader throws what commander shows for a wrong text. */
import { InvalidArgumentError } from 'commander';
import type { OptionKind } from '../../engine/options.js';
import { PASSES, type PassName } from '../../engine/passes/pass-names.js';
import type { ParameterRange } from '../../language-server/protocol.js';

/** By the kind of an option; undefined for a text that is its own value, and for a flag. */
export const READERS: Readonly<Record<OptionKind, ((text: string, previous: never) => unknown) | undefined>> = {
    flag: undefined,
    text: undefined,
    parameter: addParameter,
    instancesOf: addInstances,
    range: parameterRange,
    count: positiveInteger,
    seconds: positiveNumber,
    bytes: memorySize,
    distances: text => atMost(200, positiveInteger(text), 'Distances are kept up to 200 at most.'),
    threads: text => atMost(64, positiveInteger(text), 'A search has at most 64 threads.'),
    instances: text =>
        atMost(MOST_INSTANCES, positiveInteger(text), `A template has at most ${MOST_INSTANCES} instances.`),
    seed,
    steps: text => atMost(100_000, positiveInteger(text), 'A walk has at most 100,000 steps.'),
    passes: passNames,
    names: (text: string, previous: readonly string[] = []) => [...new Set([...previous, text])],
};

/** `NAME=VALUE` added to those given before. */
function addParameter(
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

/** `NAME=COUNT` added to those given before. */
function addInstances(
    text: string,
    previous: ReadonlyMap<string, number> = new Map<string, number>(),
): ReadonlyMap<string, number> {
    const match = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=\s*(\d+)\s*$/u.exec(text);
    const [name, count] = [match?.[1], Number(match?.[2])];
    if (name === undefined || !(count >= 1 && count <= MOST_INSTANCES)) {
        throw new InvalidArgumentError(`Write it as NAME=COUNT, for example Handler=5; at most ${MOST_INSTANCES}.`);
    }
    if (previous.has(name)) {
        throw new InvalidArgumentError(`The instances of '${name}' are given twice.`);
    }
    return new Map([...previous, [name, count]]);
}

const MOST_INSTANCES = 64;

/** `NAME=FIRST..LAST`. */
function parameterRange(text: string, previous: ParameterRange | undefined): ParameterRange {
    if (previous !== undefined) {
        throw new InvalidArgumentError(`'${previous.name}' is swept already, and only one parameter can be.`);
    }
    const match = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*$/u.exec(text);
    const [name, first, last] = [match?.[1], Number(match?.[2]), Number(match?.[3])];
    if (name === undefined || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) {
        throw new InvalidArgumentError('Write it as NAME=FIRST..LAST, for example N=3..20.');
    }
    if (last < first) {
        throw new InvalidArgumentError(`There is no value from ${first} to ${last}.`);
    }
    return { name, first, last };
}

/** In the order in which they run; undefined for the default. */
function passNames(text: string): readonly PassName[] | undefined {
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
function positiveInteger(text: string): number {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!Number.isSafeInteger(value) || value < 1) {
        throw new InvalidArgumentError('Expected a whole number from 1.');
    }
    return value;
}

function atMost(most: number, value: number, complaint: string): number {
    if (value > most) {
        throw new InvalidArgumentError(complaint);
    }
    return value;
}

/** The generator of random numbers has 2^32 different beginnings. */
function seed(text: string): number {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(value < 2 ** 32)) {
        throw new InvalidArgumentError('Expected a whole number from 0, below 2^32.');
    }
    return value;
}

/** A number of seconds, with or without a fraction. */
function positiveNumber(text: string): number {
    const value = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : NaN;
    if (!(value > 0 && Number.isFinite(value))) {
        throw new InvalidArgumentError('Expected a number of seconds above 0.');
    }
    return value;
}

const BYTES_OF_SUFFIX: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Bytes, also as `512K`, `64M`, `2G`. */
function memorySize(text: string): number {
    const match = /^(\d+)([KMG]?)$/i.exec(text);
    const bytes = Number(match?.[1]) * (BYTES_OF_SUFFIX[(match?.[2] ?? '').toUpperCase()] ?? NaN);
    if (!Number.isSafeInteger(bytes) || bytes < 1) {
        throw new InvalidArgumentError('Expected a number of bytes, or one with K, M or G.');
    }
    return bytes;
}
