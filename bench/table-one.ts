/**
 * The published systems of table I (S. J. Zhang et al., "Constraint-Based Automatic Symmetry Detection", ASE 2013): the order
 * of the group, the size of the graph, and what finding the group takes.
 *
 *     npm run bench table-one [rounds] [-- part of a case's name]
 *
 * The runner gives up where an order is not the known one, where a graph has as many vertices as the published one or more,
 * and where it has more than one and a half times those of a prototype that was built by the same rules (its sizes are
 * `prototype`). Orders are those of the table or, where that cannot be right, of two programs that try all permutations: see
 * the headers of the models. *Build* is from the constraints to the graph, *search* from there to generators, both warm in
 * one process; *analysis* is all after the text has been read, warm; *whole* is the command with its start. Processor
 * seconds and milliseconds.
 */
import { readFileSync } from 'node:fs';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { findAutomorphisms } from '../engine/graph/automorphisms.js';
import type { Model } from '../engine/model/model.js';
import { analyze, type SymmetryAnalysis } from '../engine/pipeline.js';
import { encodeGraph } from '../engine/symmetry/graph-encoding.js';
import { loadModel } from '../language-server/load-model.js';
import {
    benchOptions,
    formatSpread,
    head,
    measured,
    modelCaseName,
    modelFile,
    orbitCommand,
    report,
    row,
    spread,
    withFolder,
    type ModelCase,
    type Spread,
} from './measure.js';

interface Case extends ModelCase {
    readonly order: bigint;
    /** The vertices of the published graph, where the table has them. */
    readonly published?: number;
    readonly prototype: number;
}

const heap = (agents: number): number[] => Array.from({ length: agents }, (_, agent) => Math.max(0, (agent - 1) >> 1));

const CASES: readonly Case[] = [
    { model: 'readers-writers', parameters: { R: 2, W: 1 }, order: 2n, published: 120, prototype: 36 },
    { model: 'peterson', parameters: { N: 9 }, order: 362_880n, published: 2311, prototype: 1655 },
    { model: 'peterson', parameters: { N: 12 }, order: 479_001_600n, published: 4207, prototype: 3323 },
    { model: 'resource-allocator', parameters: { clients: [2, 2, 3] }, order: 24n, published: 393, prototype: 220 },
    { model: 'resource-allocator', parameters: { clients: [3, 3, 4] }, order: 864n, published: 534, prototype: 306 },
    { model: 'three-tier', parameters: { clients: [3, 3, 2] }, order: 144n, published: 419, prototype: 93 },
    { model: 'three-tier', parameters: { clients: [3, 3, 3] }, order: 1296n, published: 452, prototype: 103 },
    { model: 'three-tier', parameters: { clients: [4, 4, 3] }, order: 6912n, published: 518, prototype: 123 },
    { model: 'three-tier-rendezvous', parameters: { clients: [3, 3, 2] }, order: 144n, published: 419, prototype: 130 },
    {
        model: 'three-tier-rendezvous',
        parameters: { clients: [3, 3, 3] },
        order: 1296n,
        published: 452,
        prototype: 139,
    },
    {
        model: 'three-tier-rendezvous',
        parameters: { clients: [4, 4, 3] },
        order: 6912n,
        published: 518,
        prototype: 157,
    },
    { model: 'hypercube', parameters: { D: 5 }, order: 3840n, published: 3586, prototype: 1615 },
    { model: 'hypercube', parameters: { D: 6 }, order: 46_080n, published: 11_555, prototype: 5329 },
    { model: 'dining-philosophers', parameters: { N: 10 }, order: 10n, published: 556, prototype: 231 },
    { model: 'dining-philosophers', parameters: { N: 20 }, order: 20n, published: 1086, prototype: 461 },
    { model: 'milner-scheduler', parameters: { N: 10 }, order: 1n, published: 487, prototype: 157 },
    { model: 'two-hop-coloring', parameters: { N: 9 }, order: 216n, published: 2013, prototype: 1692 },
    { model: 'two-hop-coloring', parameters: { N: 12 }, order: 1728n, published: 3105, prototype: 2256 },
    {
        model: 'leader-election-complete',
        parameters: { N: 12 },
        order: 479_001_600n,
        published: 21_155,
        prototype: 410,
    },
    {
        model: 'leader-election-complete',
        parameters: { N: 15 },
        order: 1_307_674_368_000n,
        published: 164_809,
        prototype: 620,
    },
    { model: 'leader-election-tree', parameters: { parent: heap(15) }, order: 128n, published: 466, prototype: 124 },
    { model: 'leader-election-tree', parameters: { parent: [...heap(13), 11, 11] }, order: 16n, prototype: 124 },
    { model: 'leader-election-tree', parameters: { parent: heap(19) }, order: 128n, published: 580, prototype: 154 },
    { model: 'leader-election-ring', parameters: { N: 9 }, order: 9n, published: 21_378, prototype: 200 },
    { model: 'leader-election-ring', parameters: { N: 12 }, order: 12n, published: 214_169, prototype: 260 },
    { model: 'hanoi', parameters: { N: 3 }, order: 2n, published: 891, prototype: 58 },
    { model: 'hanoi', parameters: { N: 6 }, order: 2n, published: 6520, prototype: 124 },
    { model: 'social-golfer', parameters: { G: 3, S: 3, W: 4 }, order: 725_760n, published: 1542, prototype: 854 },
    { model: 'token-ring', parameters: { N: 5 }, order: 10n, prototype: 125 },
];

interface Result {
    readonly case: string;
    readonly rounds: number;
    readonly order: string;
    readonly generators: number;
    readonly vertices: number;
    readonly edges: number;
    readonly published?: number;
    /** Milliseconds. */
    readonly build: Spread;
    readonly search: Spread;
    readonly analysis: Spread;
    /** Seconds. */
    readonly whole: Spread;
}

const cpuMilliseconds = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
};

function timed<T>(work: () => T): { readonly result: T; readonly milliseconds: number } {
    const start = cpuMilliseconds();
    const result = work();
    return { result, milliseconds: cpuMilliseconds() - start };
}

function analysisOf(model: Model): SymmetryAnalysis {
    const { symmetry } = analyze(model, { now: cpuMilliseconds, workLimit: UNLIMITED });
    if (symmetry === undefined) {
        throw new Error('the model has errors');
    }
    return symmetry;
}

function measure(each: Case & { readonly loaded: Model }, rounds: number): Result {
    const name = modelCaseName(each);
    const times: Record<'build' | 'search' | 'analysis' | 'whole', number[]> = {
        build: [],
        search: [],
        analysis: [],
        whole: [],
    };
    let found = analysisOf(each.loaded);
    // The first rounds warm up.
    for (let round = -2; round < rounds; round++) {
        const { result, milliseconds: analysis } = timed(() => analysisOf(each.loaded));
        const { result: encoding, milliseconds: build } = timed(() => encodeGraph(result.constraints, []));
        const literals = encoding.firstLiteral[result.constraints.domains.length] ?? 0;
        const preferredVertices = Int32Array.from({ length: literals }, (_, vertex) => vertex);
        const { milliseconds: search } = timed(() =>
            findAutomorphisms(encoding.graph, { workLimit: UNLIMITED, preferredVertices }),
        );
        found = result;
        if (round >= 0) {
            times.analysis.push(analysis);
            times.build.push(build);
            times.search.push(search);
            const command = orbitCommand('symmetry', each);
            times.whole.push(withFolder(folder => measured(command, folder).seconds));
        }
    }
    const { order, generators, graph } = found.report;
    must(BigInt(order) === each.order, `${name}: the order is ${order}, and not ${each.order}`);
    must(
        graph.vertices < (each.published ?? Infinity),
        `${name}: ${graph.vertices} vertices, published ${each.published}`,
    );
    must(
        graph.vertices <= 1.5 * each.prototype,
        `${name}: ${graph.vertices} vertices, the prototype has ${each.prototype}`,
    );
    return {
        case: name,
        rounds,
        order: order.toString(),
        generators: generators.length,
        ...graph,
        ...(each.published !== undefined && { published: each.published }),
        build: spread(times.build),
        search: spread(times.search),
        analysis: spread(times.analysis),
        whole: spread(times.whole),
    };
}

function must(condition: boolean, message: string): void {
    if (!condition) {
        throw new Error(message);
    }
}

async function load(each: Case): Promise<Case & { readonly loaded: Model }> {
    const text = readFileSync(modelFile(each.model));
    const values = Object.entries(each.parameters).map(([key, value]): [string, string] => [
        key,
        JSON.stringify(value),
    ]);
    const { model, problems } = await loadModel(text, `file:///${each.model}.orbit`, values);
    if (model === undefined) {
        throw new Error(problems.map(({ message }) => message).join('\n'));
    }
    return { ...each, loaded: model };
}

const options = benchOptions(process.argv.slice(2));
const cases = await Promise.all(CASES.filter(each => modelCaseName(each).includes(options.part)).map(load));
report(cases, options, {
    nameOf: modelCaseName,
    measure: each => measure(each, options.rounds),
    head: head('Case', 'Order', 'Generators', 'Vertices', 'Published', 'Edges', 'Build', 'Search', 'Analysis', 'Whole'),
    row: result =>
        row(
            result.case,
            BigInt(result.order).toLocaleString('en'),
            result.generators,
            result.vertices,
            result.published ?? '',
            result.edges,
            formatSpread(result.build, ' ms', 1),
            formatSpread(result.search, ' ms', 1),
            formatSpread(result.analysis, ' ms', 0),
            formatSpread(result.whole),
        ),
});
