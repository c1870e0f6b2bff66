/**
 * Compares our automorphism search with bliss, nauty and Traces, where they are installed (Debian: bliss, nauty).
 *
 *     npm run bench automorphisms [rounds] [-- part of a case's name]
 *
 * or, after that,
 *
 *     node out/bench/automorphisms.mjs [--rounds=5] [--limit=60] [--table] [part of a case's name]
 *
 * Writes one line of JSON for each case, or of a table. Each case has a process of its own. What is measured is processor time
 * from the finished graph in memory to the group: for us with what the search finds checked, as a compact list, what is folded
 * up in a few numbers, and the order by its factors (`search`), and again with everything written out and checked (`listed`:
 * objects for generators, the order as one number), as Orbit itself uses it; the first time in the process (`cold`), and in
 * each round after enough runs to have the code compiled.
 * For nauty and Traces, which only count their generators then, it is the difference between the processes that do and do not
 * search, over as many searches in one process as it takes to see something. The library of bliss is called as often from
 * Python (peers/bliss.py), for the program says its time in steps of 10 ms, and with reading the file. All of them have searched
 * the graph before they are measured. In each round the programs take turns, so that a busy machine is unfair to none of them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UNLIMITED } from '../engine/common/work-limit.js';
import type { AutomorphismResult } from '../engine/graph/automorphisms.js';
import { findAutomorphisms } from '../engine/graph/automorphisms.js';
import type { ColoredGraph } from '../engine/graph/colored-graph.js';
import { toDimacs } from '../engine/graph/dimacs.js';
import {
    bipartiteDouble,
    circulant,
    completeBipartite,
    completeGraph,
    completeMultipartite,
    cubeConnectedCycles,
    deBruijn,
    disjointCopies,
    frucht,
    grid,
    hadamard,
    hamming,
    heap,
    hypercube,
    johnson,
    kneser,
    latinSquare,
    processClique,
    processNetwork,
    processRing,
    randomCaterpillar,
    randomCograph,
    randomRegular,
    recolored,
    ring,
    rook,
    shuffled,
    star,
    subdivided,
    torus,
    treeOfRings,
    wreath,
    caiFuererImmerman,
    caterpillar,
    complementOf,
    disjointUnion,
    paley,
    projectivePlane,
    randomGraph,
    randomTree,
    shrikhande,
    switchedLatinSquare,
    withEdge,
} from '../test/graph/graph-families.js';
import { parseDimacs } from '../test/graph/parse-dimacs.js';
import { modelCaseName, orbitCommand } from './measure.js';
import type { ModelCase } from './measure.js';

/** The cases from small to large. Each is shuffled, so that no program profits from the order of construction. */
const CASES: Record<string, () => ColoredGraph> = {
    'process ring 20': () => processRing(20),
    'process ring 400': () => processRing(400),
    'process ring 2000': () => processRing(2000),
    'process ring 8000': () => processRing(8000),
    'process clique 22': () => processClique(22),
    'process clique 70': () => processClique(70),
    'process clique 150': () => processClique(150),
    'process clique 400': () => processClique(400),
    'torus of processes 12': () => processNetwork(torus(12, 12)),
    'torus of processes 80': () => processNetwork(torus(80, 80)),
    'ring of channels 50': () => processNetwork(ring(50)),
    'ring of channels 10000': () => processNetwork(ring(10_000)),
    '12 processes and 8 resources': () => processNetwork(completeBipartite(12, 8)),
    '100 processes and 60 resources': () => processNetwork(completeBipartite(100, 60)),
    'tree of rings 5 deep': () => processNetwork(treeOfRings(4, 5)),
    'tree of rings 8 deep': () => processNetwork(treeOfRings(4, 8)),
    'ring 500': () => ring(500),
    'ring 20000': () => ring(20_000),
    'ring 200000': () => ring(200_000),
    'heap 511': () => heap(511),
    'heap 8191': () => heap(8191),
    'heap 131071': () => heap(131_071),
    'star 500': () => star(500),
    'star 2000': () => star(2000),
    'star 20000': () => star(20_000),
    'star 200000': () => star(200_000),
    'wreath 20 of 25': () => wreath(20, 25),
    'wreath 50 of 50': () => wreath(50, 50),
    'wreath 400 of 400': () => wreath(400, 400),
    'complete 500': () => completeGraph(500),
    'complete 1500': () => completeGraph(1500),
    'hypercube 10': () => hypercube(10),
    'hypercube 14': () => hypercube(14),
    'torus 30': () => torus(30, 30),
    'torus 300': () => torus(300, 300),
    'rook 30': () => rook(30),
    'kneser 13 3': () => kneser(13, 3),
    '100 Petersen': () => disjointCopies(kneser(5, 2), 100),
    '10000 Petersen': () => disjointCopies(kneser(5, 2), 10_000),
    '2000 Frucht': () => disjointCopies(frucht(), 2000),
    '2000 rings': () => disjointCopies(ring(10), 2000),
    // From here on, what is hard or plain in other ways: the orders must agree here too.
    'random tree 500': () => randomTree(500, 1),
    'random tree 100000': () => randomTree(100_000, 1),
    'caterpillar 50000': () => caterpillar(50_000, 3),
    'torus 100 with a defect': () => withEdge(torus(100, 100), 0, 202),
    'mixed components': () =>
        disjointUnion(
            disjointUnion(disjointCopies(rook(4), 50), disjointCopies(shrikhande(), 50)),
            disjointUnion(heap(1000), randomGraph(2000, 1900, 3, 1)),
        ),
    'random graph 20000': () => randomGraph(20_000, 18_000, 4, 1),
    'random graph 20000 dense': () => randomGraph(20_000, 100_000, 4, 1),
    'projective plane 13': () => projectivePlane(13),
    'projective plane 23': () => projectivePlane(23),
    'paley 509': () => paley(509),
    'Latin square 30': () => latinSquare(30),
    'Latin square 30, switched': () => switchedLatinSquare(30, 1),
    'Hadamard matrix 104': () => hadamard(103),
    '20 Shrikhande and 20 rooks': () => disjointUnion(disjointCopies(shrikhande(), 20), disjointCopies(rook(4), 20)),
    'CFI over a cubic graph of 40': () => caiFuererImmerman(randomRegular(40, 3, 3), true),
    'CFI over Petersen, twisted and not': () =>
        disjointUnion(caiFuererImmerman(kneser(5, 2), true), caiFuererImmerman(kneser(5, 2), false)),
    'cubic 1000': () => randomRegular(1000, 3, 1),
    'cubic 100000': () => randomRegular(100_000, 3, 1),
    'complement of cubic 1000': () => complementOf(randomRegular(1000, 3, 4)),
    'complement of a ring of 1000': () => complementOf(ring(1000)),
    '7-regular 20000': () => randomRegular(20_000, 7, 1),
    'random caterpillar 400': () => randomCaterpillar(400, 3, 1),
    'random caterpillar 40000': () => randomCaterpillar(40_000, 3, 1),
    'grid 30 by 30': () => grid(30, 30),
    'grid 300 by 400': () => grid(300, 400),
    'torus 40 in two colors': () => recolored(torus(40, 40), v => String(((v % 40) + Math.floor(v / 40)) % 2)),
    'torus 60 by 90 in stripes': () => recolored(torus(60, 90), v => String((v % 60) % 3)),
    'Johnson 12 4': () => johnson(12, 4),
    'triangular 17': () => johnson(17, 2),
    'Hamming 3 9': () => hamming(3, 9),
    'Hamming 6 5': () => hamming(6, 5),
    'rook 60': () => rook(60),
    'paley 1013': () => paley(1013),
    'projective plane 43': () => projectivePlane(43),
    'Hadamard matrix 252': () => hadamard(251),
    'complete multipartite 20 by 30': () => completeMultipartite(Array<number>(20).fill(30)),
    'random cograph 600': () => randomCograph(600, 1),
    'random cograph 3000': () => randomCograph(3000, 2),
    'de Bruijn 5 4': () => deBruijn(5, 4),
    'de Bruijn 3 7': () => deBruijn(3, 7),
    'de Bruijn 2 14': () => deBruijn(2, 14),
    'double of a torus 51': () => bipartiteDouble(torus(51, 51)),
    'double of cubic 1000': () => bipartiteDouble(randomRegular(1000, 3, 2)),
    'subdivided hypercube 8': () => subdivided(hypercube(8)),
    'subdivided hypercube 13': () => subdivided(hypercube(13)),
    'subdivided complete 60': () => subdivided(completeGraph(60)),
    'circulant 1000': () => circulant(1000, [1, 7, 30]),
    'circulant 50000': () => circulant(50_000, [1, 7, 300]),
    'cube-connected cycles 8': () => cubeConnectedCycles(8),
    'cube-connected cycles 13': () => cubeConnectedCycles(13),
    'cubic 500': () => randomRegular(500, 3, 5),
    'cubic 50000, all alike': () => randomRegular(50_000, 3, 1),
    '5-regular 1000': () => randomRegular(1000, 5, 5),
    '5-regular 100000': () => randomRegular(100_000, 5, 5),
    'random graph 1500, dense': () => randomGraph(1500, 280_000, 1, 3),
};

/** Their graphs, as `orbit export` writes them, are cases too. */
const MODELS: readonly ModelCase[] = [
    { model: 'semaphore-mutex', parameters: { N: 60 } },
    { model: 'resource-allocator', parameters: { clients: [6, 6, 6, 5] } },
    { model: 'token-ring', parameters: { N: 40 } },
    { model: 'leader-election-ring', parameters: { N: 50 } },
    { model: 'milner-scheduler', parameters: { N: 64 } },
    { model: 'treiber-stack', parameters: { N: 6, K: 4 } },
    { model: 'dining-philosophers', parameters: { N: 60 } },
    { model: 'szymanski', parameters: { N: 30 } },
    { model: 'raft-election', parameters: { N: 7, T: 3 } },
    { model: 'german-cache', parameters: { N: 30 } },
    { model: 'two-hop-coloring', parameters: { N: 24 } },
    { model: 'peterson', parameters: { N: 16 } },
    { model: 'peterson', parameters: { N: 40 } },
    { model: 'bakery', parameters: { N: 12 } },
    { model: 'hypercube', parameters: { D: 6 } },
    { model: 'hypercube', parameters: { D: 8 } },
    { model: 'leader-election-complete', parameters: { N: 60 } },
];

/** The time and the order of one program for one case in one round. */
interface Measurement {
    readonly milliseconds: number;
    /** Leading digits and exponent: all that the other programs print of a large order. */
    readonly order: string;
}

/** A program measures itself once; undefined when it did not end within the limit. */
type Program = () => Measurement | undefined;

function graphOfCase(name: string): ColoredGraph {
    const make = CASES[name];
    const model = MODELS.find(each => modelCaseName(each) === name);
    if (make !== undefined) {
        return shuffled(make(), 7);
    }
    if (model !== undefined) {
        return shuffled(graphOfModel(model), 7);
    }
    throw new Error(`no case '${name}'`);
}

function graphOfModel(model: ModelCase): ColoredGraph {
    const [program = '', ...words] = orbitCommand('export', model, '--to', 'graph-dimacs');
    const { stdout } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 2 ** 30 });
    return parseDimacs((JSON.parse(stdout) as { readonly text: string }).text);
}

/** `1.234e56` from an order in full. */
function shortened(order: string): string {
    return order.length <= 8 || order === TOO_LARGE ? order : `${order[0]}.${order.slice(1, 4)}e${order.length - 1}`;
}

/** Runs that take less than this are repeated until they take as long together. */
const VISIBLE_MILLISECONDS = 40;
const MOST_REPETITIONS = 2000;
const BLISS = fileURLToPath(new URL('../../bench/peers/bliss.py', import.meta.url));
/** Stands for an order beyond 10^4932, which bliss cannot write. */
const TOO_LARGE = 'too-large';
/** For how long we run before anything is measured, and before each round: compiled code may be dropped while others run. */
const WARM_UP_MILLISECONDS = 600;
const ROUND_WARM_UP_MILLISECONDS = 200;

function processorMilliseconds(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
}

function warmUp(run: () => void, milliseconds: number): void {
    const end = processorMilliseconds() + milliseconds;
    while (processorMilliseconds() < end) {
        run();
    }
}

/** The mean processor time of `run`, over as many runs as it takes to see something. */
function timeOf(run: () => void): number {
    const before = processorMilliseconds();
    let runs = 0;
    do {
        // To read the clock takes as long as half a search of a small graph, so it is read after 1, 3, 7, 15, … runs.
        for (let more = runs + 1; more > 0; more--) {
            run();
            runs++;
        }
    } while (processorMilliseconds() - before < VISIBLE_MILLISECONDS && runs < MOST_REPETITIONS);
    return (processorMilliseconds() - before) / runs;
}

/** Runs a command line under the shell's `time`; undefined when it did not end within the limit. */
function timed(
    command: string,
    input: string,
    limitSeconds: number,
): { output: string; milliseconds: number } | undefined {
    const script = `TIMEFORMAT='%U %S'; time timeout ${limitSeconds} ${command}`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script], {
        input,
        encoding: 'utf8',
        maxBuffer: 2 ** 30,
    });
    if (status !== 0) {
        return undefined;
    }
    const [user, system] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
    return { output: stdout, milliseconds: 1000 * ((user ?? NaN) + (system ?? NaN)) };
}

function bliss(file: string, limitSeconds: number): Program {
    return () => {
        const run = timed(`python3 ${BLISS} ${file}`, '', limitSeconds);
        const [milliseconds, order] = run?.output.trim().split(' ') ?? [];
        return order === undefined ? undefined : { milliseconds: Number(milliseconds), order: shortened(order) };
    };
}

function dreadnaut(algorithm: 's' | 't', graph: string, limitSeconds: number): Program {
    let repetitions = 1;
    const run = (searches: number): { output: string; milliseconds: number } | undefined =>
        timed('dreadnaut', `A${algorithm} -a -m\n${graph}${'x\n'.repeat(searches)}q\n`, limitSeconds);
    return () => {
        for (;;) {
            const reading = run(0);
            const searching = run(repetitions);
            const order = searching?.output.match(/grpsize=([\d.e]+)/)?.[1];
            if (reading === undefined || searching === undefined || order === undefined) {
                return undefined;
            }
            const milliseconds = searching.milliseconds - reading.milliseconds;
            if (milliseconds < VISIBLE_MILLISECONDS && repetitions < MOST_REPETITIONS) {
                repetitions = Math.min(
                    MOST_REPETITIONS,
                    1 + Math.ceil(repetitions * Math.max(2, VISIBLE_MILLISECONDS / Math.max(1, milliseconds))),
                );
                continue;
            }
            return { milliseconds: Math.max(0, milliseconds) / repetitions, order };
        }
    };
}

/** The graph as dreadnaut reads it. */
function toDreadnaut(graph: ColoredGraph): string {
    const { vertexCount, colorCount, firstNeighbor, neighbors } = graph;
    const rows: string[] = [];
    const cells: number[][] = Array.from({ length: colorCount }, () => []);
    for (let vertex = 0; vertex < vertexCount; vertex++) {
        const row = neighbors.subarray(firstNeighbor[vertex], firstNeighbor[vertex + 1]);
        rows.push(`${vertex}:${row.filter(neighbor => neighbor > vertex).join(' ')}`);
        cells[graph.colors[vertex] ?? 0]?.push(vertex);
    }
    return `n=${vertexCount} g\n${rows.join(';\n')}.\nf=[${cells.map(cell => cell.join('\n')).join('|')}]\n`;
}

/** Whether two shortened orders are the same number, as far as their digits go. */
function isSameOrder(first: string, second: string): boolean {
    if (first === TOO_LARGE) {
        return exponent(second) > 4931;
    }
    return (
        Math.abs(Math.log(mantissa(first)) - Math.log(mantissa(second))) < 0.002 && exponent(first) === exponent(second)
    );
}

const exponent = (order: string): number => Number(order.split('e')[1] ?? Math.floor(Math.log10(Number(order))));
const mantissa = (order: string): number =>
    order.includes('e') ? Number(order.split('e')[0]) : Number(order) / 10 ** exponent(order);

function writeLine(line: string): void {
    process.stdout.write(`${line}\n`);
}

interface Summary {
    readonly median: number;
    readonly least: number;
    readonly greatest: number;
}

function summary(measurements: readonly number[]): Summary {
    const sorted = [...measurements].sort((a, b) => a - b);
    const at = (index: number): number => Number((sorted[index] ?? NaN).toPrecision(3));
    return { median: at(sorted.length >> 1), least: at(0), greatest: at(sorted.length - 1) };
}

/** The measurements on one case. */
interface Comparison {
    readonly case: string;
    readonly vertices: number;
    readonly edges: number;
    readonly order: string;
    readonly cold: number;
    readonly search: Summary;
    readonly listed: Summary;
    /** By program; undefined where it did not end within the limit. */
    readonly others: Readonly<Record<string, (Summary & { readonly agrees: boolean }) | undefined>>;
    /** Our search over that of the fastest other program, round by round. */
    readonly ratio: Summary | undefined;
}

/** Measures everything on one case; runs in a process of its own. */
function compare(name: string, rounds: number, limitSeconds: number): Comparison {
    const graph = graphOfCase(name);
    const folder = mkdtempSync(join(tmpdir(), 'orbit-bench-'));
    const file = join(folder, 'graph.dimacs');
    writeFileSync(file, toDimacs(graph));
    const dreadnautInput = toDreadnaut(graph);
    const programs: Record<string, Program> = {
        ...(existsSync('/usr/bin/bliss') && existsSync('/usr/bin/python3') && { bliss: bliss(file, limitSeconds) }),
        ...(existsSync('/usr/bin/dreadnaut') && {
            nauty: dreadnaut('s', dreadnautInput, limitSeconds),
            traces: dreadnaut('t', dreadnautInput, limitSeconds),
        }),
    };
    const search = (): AutomorphismResult => findAutomorphisms(graph, { workLimit: UNLIMITED });
    const list = (): string => {
        const result = search();
        return `${result.order} ${result.generators.length}`;
    };
    const beforeCold = processorMilliseconds();
    search();
    const cold = processorMilliseconds() - beforeCold;
    const order = shortened(String(search().order));
    warmUp(search, WARM_UP_MILLISECONDS);
    const own: { search: number[]; listed: number[]; ratio: number[] } = { search: [], listed: [], ratio: [] };
    const others: Record<string, Measurement[] | undefined> = {};
    for (let round = 0; round < rounds; round++) {
        warmUp(search, ROUND_WARM_UP_MILLISECONDS);
        own.search.push(timeOf(search));
        let best = Infinity;
        for (const [program, measure] of Object.entries(programs)) {
            const soFar = (others[program] ??= round === 0 ? [] : undefined);
            const measurement = soFar && measure();
            // A program that did not end in the first round is not asked again.
            if (measurement === undefined) {
                others[program] = undefined;
            } else {
                soFar?.push(measurement);
                best = Math.min(best, measurement.milliseconds);
            }
        }
        if (best < Infinity) {
            own.ratio.push((own.search.at(-1) ?? NaN) / best);
        }
    }
    rmSync(folder, { recursive: true });
    // Afterwards, because what it leaves behind would be cleared away at the cost of the next search.
    warmUp(list, WARM_UP_MILLISECONDS);
    for (let round = 0; round < rounds; round++) {
        own.listed.push(timeOf(list));
    }
    return {
        case: name,
        vertices: graph.vertexCount,
        edges: graph.edgeCount,
        order,
        cold: summary([cold]).median,
        search: summary(own.search),
        listed: summary(own.listed),
        others: Object.fromEntries(
            Object.keys(programs).map(program => [
                program,
                others[program] && {
                    ...summary(others[program].map(({ milliseconds }) => milliseconds)),
                    agrees: others[program].every(measurement => isSameOrder(measurement.order, order)),
                },
            ]),
        ),
        ratio: own.ratio.length === 0 ? undefined : summary(own.ratio),
    };
}

/** A line of the table in bench/results/automorphisms.md. */
function toRow({ case: name, vertices, edges, order, cold, search, listed, others, ratio }: Comparison): string {
    const cell = (program: string): string => {
        const measured = others[program];
        return measured === undefined ? '–' : `${measured.median}${measured.agrees ? '' : ' (another order!)'}`;
    };
    const cells = [
        ...[name, vertices.toLocaleString('en-US'), edges.toLocaleString('en-US'), order.replace(/e(\d+)/, ' · 10^$1')],
        ...[search.median, listed.median, cold, cell('nauty'), cell('traces'), cell('bliss')],
        ratio === undefined ? 'no other ended' : `${ratio.median} (${ratio.least} – ${ratio.greatest})`,
    ];
    return `| ${cells.join(' | ')} |`;
}

const flags = process.argv.slice(2).filter(argument => argument.startsWith('--'));
const flag = (name: string): string | undefined =>
    flags.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const part = process.argv.slice(2).find(argument => !argument.startsWith('--')) ?? '';
const single = flag('one');
if (single !== undefined) {
    writeLine(JSON.stringify(compare(single, Number(flag('rounds') ?? 5), Number(flag('limit') ?? 60))));
} else {
    const names = [...Object.keys(CASES), ...MODELS.map(modelCaseName)];
    for (const name of names.filter(name => name.includes(part))) {
        const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), `--one=${name}`, ...flags], {
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'inherit'],
        });
        writeLine(flags.includes('--table') ? toRow(JSON.parse(stdout) as Comparison) : stdout.trim());
    }
}
