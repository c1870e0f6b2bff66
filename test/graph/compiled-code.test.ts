import { describe, expect, test } from 'vitest';
import { OperationCancelled, UNLIMITED } from '../../engine/common/work-limit.js';
import { findAutomorphisms } from '../../engine/graph/automorphisms.js';
import { CERTIFICATE_ARRAYS, certificateModule, FIRST_ARRAY } from '../../engine/graph/certificate-code.js';
import type { CertificateFunctions } from '../../engine/graph/certificate-code.js';
import { CompiledCode } from '../../engine/graph/compiled-code.js';
import type { Machine } from '../../engine/graph/compiled-code.js';
import type { WasmMemory } from '../../engine/webassembly/host.js';
import { completeGraph, torus } from './graph-families.js';

type ArrayName = (typeof CERTIFICATE_ARRAYS)[number];

function newCode(): CompiledCode<ArrayName, CertificateFunctions> {
    return new CompiledCode<ArrayName, CertificateFunctions>(CERTIFICATE_ARRAYS, FIRST_ARRAY, certificateModule);
}

interface Host {
    Memory: new (limits: object) => WasmMemory;
}

const host = (globalThis as unknown as { WebAssembly: Host }).WebAssembly;

function has<Thing>(thing: Thing | undefined): asserts thing is Thing {
    expect(thing).toBeDefined();
}

/** What `work` returns where memories are made by `Memory`. */
function withMemories<Result>(Memory: Host['Memory'], work: () => Result): Result {
    const before = host.Memory;
    host.Memory = Memory;
    try {
        return work();
    } finally {
        host.Memory = before;
    }
}

class NoMemory {
    constructor() {
        throw new RangeError('could not allocate memory');
    }
}

/** What `work` returns where the system has no memory for WebAssembly. */
function withoutMemory<Result>(work: () => Result): Result {
    return withMemories(NoMemory as unknown as Host['Memory'], work);
}

function withoutGrowth<Result>(memory: WasmMemory, work: () => Result): Result {
    Object.assign(memory, {
        grow: () => {
            throw new RangeError('maximum memory size exceeded');
        },
    });
    try {
        return work();
    } finally {
        Reflect.deleteProperty(memory, 'grow');
    }
}

describe('compiled code of a graph', () => {
    test('is not there where there is no memory', () => {
        const code = newCode();
        expect(withoutMemory(() => code.acquire(torus(3, 4)))).toBeUndefined();
        has(code.acquire(torus(3, 4)));
    });

    test('serves small graphs where its memory cannot grow', () => {
        const code = newCode();
        const small = torus(3, 4);
        const first = code.acquire(small);
        has<Machine<ArrayName, CertificateFunctions>>(first);
        code.release(first);
        const { memory } = first;
        withoutGrowth(memory, () => {
            expect(code.acquire(completeGraph(400))).toBeUndefined();
            expect(code.acquire(small)?.memory).toBe(memory);
        });
    });

    test('has a memory for each of two graphs at a time, and leaves it to the next one', () => {
        const code = newCode();
        const first = code.acquire(torus(3, 4));
        const second = code.acquire(torus(4, 4));
        has<Machine<ArrayName, CertificateFunctions>>(first);
        has<Machine<ArrayName, CertificateFunctions>>(second);
        expect(second.memory).not.toBe(first.memory);
        code.release(second);
        expect(code.acquire(torus(3, 4))?.memory).toBe(second.memory);
    });
});

test('a search goes on without compiled code where there is no memory', () => {
    const order = (): bigint => findAutomorphisms(torus(60, 60), { workLimit: UNLIMITED }).order;
    expect(withoutMemory(order)).toBe(8n * 60n ** 2n);
    expect(order()).toBe(8n * 60n ** 2n);
});

test('a search that is cancelled leaves its memory to the next one', () => {
    let made = 0;
    class Counted extends host.Memory {
        constructor(limits: object) {
            super(limits);
            made++;
        }
    }
    const graph = torus(60, 60);
    const cancelledAfter = (questions: number): void => {
        let left = questions;
        const workLimit = {
            isExhausted(): boolean {
                if (left-- === 0) {
                    throw new OperationCancelled();
                }
                return false;
            },
        };
        expect(() => findAutomorphisms(graph, { workLimit })).toThrow(OperationCancelled);
    };
    let questions = 0;
    findAutomorphisms(graph, { workLimit: { isExhausted: () => questions++ < 0 } });
    withMemories(Counted, () => {
        for (let asked = 0; asked < questions; asked++) {
            cancelledAfter(asked);
        }
    });
    expect(made).toBe(0);
});
