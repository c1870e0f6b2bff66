/**
 * Checks many permutations of one graph, as Certifier does, with code compiled to WebAssembly (certificate-code.ts). It takes
 * a memory of its own when it is first asked.
 */
import type { Certifier } from './certify.js';
import { CERTIFICATE_ARRAYS, certificateModule, FIRST_ARRAY } from './certificate-code.js';
import type { CertificateFunctions } from './certificate-code.js';
import type { ColoredGraph } from './colored-graph.js';
import { CompiledCode } from './compiled-code.js';
import { INTEGER_BYTES } from '../webassembly/function-body.js';

const code = new CompiledCode<(typeof CERTIFICATE_ARRAYS)[number], CertificateFunctions>(
    CERTIFICATE_ARRAYS,
    FIRST_ARRAY,
    certificateModule,
);

export class CompiledCertifier {
    readonly #graph: ColoredGraph;
    readonly #plain: Certifier;
    #machine: ReturnType<typeof code.acquire> | 'none';

    /** `plain` is a certifier for the same graph: it answers where nothing can be compiled. */
    constructor(graph: ColoredGraph, plain: Certifier) {
        this.#graph = graph;
        this.#plain = plain;
    }

    /** As `holds` of Certifier. */
    holds(points: Int32Array, images: Int32Array, start: number, end: number): boolean {
        this.#machine ??= this.#begin();
        if (this.#machine === 'none') {
            return this.#plain.holds(points, images, start, end);
        }
        if (end - start > this.#graph.vertexCount) {
            return false;
        }
        const { layout, functions, integers } = this.#machine;
        integers.set(points.subarray(start, end), layout.points / INTEGER_BYTES);
        integers.set(images.subarray(start, end), layout.images / INTEGER_BYTES);
        return functions.holds(end - start) === 1;
    }

    /** Leaves the memory to the next one. */
    release(): void {
        if (this.#machine !== undefined && this.#machine !== 'none') {
            code.release(this.#machine);
        }
        this.#machine = undefined;
    }

    #begin(): NonNullable<ReturnType<typeof code.acquire>> | 'none' {
        const machine = code.acquire(this.#graph);
        if (machine === undefined) {
            return 'none';
        }
        machine.integers.set(this.#graph.colors, machine.layout.colors / INTEGER_BYTES);
        machine.functions.begin(this.#graph.vertexCount);
        return machine;
    }
}
