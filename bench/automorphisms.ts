/**
 * Compares our automorphism search with bliss, nauty and Traces, where they are installed (Debian: bliss, nauty).
 *
 *     npx esbuild bench/automorphisms.ts --bundle --platform=node --format=esm --outfile=out/bench/automorphisms.mjs
 *     node out/bench/automorphisms.mjs [--rounds=5] [--limit=60] [part of a case's name]
 *
 * Writes one line of JSON for each case: for each program the median of the rounds in milliseconds of processor time, the
 * least and greatest, and whether it found the order we found. The programs take turns, so that a busy machine is unfair to
 * none of them. What is measured is the search alone, for the other programs as they report it (in steps of 10 ms) and for
 * us from the finished graph to the result, in a fresh process (`cold`) and again after four warm-up runs (`warm`). For
 * small cases the other programs' whole process is also given, since their own figure is 0.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { findAutomorphisms } from '../engine/graph/automorphisms.js';
import type { ColoredGraph } from '../engine/graph/colored-graph.js';
import { toDimacs } from '../engine/graph/dimacs.js';
import {
    completeGraph,
    disjointCopies,
    frucht,
    heap,
    hypercube,
    kneser,
    processClique,
    processRing,
    randomRegular,
    ring,
    rook,
    shuffled,
    star,
    torus,
    wreath,
} from '../test/graph/graph-families.js';

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
    'cubic 1000': () => randomRegular(1000, 3, 1),
    'cubic 100000': () => randomRegular(100_000, 3, 1),
    '7-regular 20000': () => randomRegular(20_000, 7, 1),
};

interface Measurement {
    readonly milliseconds: number;
    readonly processMilliseconds: number;
    /** Leading digits and exponent: all that the other programs print of a large order. */
    readonly order: string;
}

function graphOfCase(name: string): ColoredGraph {
    const make = CASES[name];
    if (make === undefined) {
        throw new Error(`no case '${name}'`);
    }
    return shuffled(make(), 7);
}

/** `1.234e56` from an order in full. */
function shortened(order: string): string {
    return order.length <= 8 ? order : `${order[0]}.${order.slice(1, 4)}e${order.length - 1}`;
}

/** Measures us on one case and prints cold and warm times; runs in a process of its own. */
function measureOurselves(name: string): void {
    const graph = graphOfCase(name);
    const times: number[] = [];
    let result = { order: 1n };
    let elapsed = 0;
    for (let run = 0; run < 5 && (run === 0 || elapsed < 20_000); run++) {
        const before = process.cpuUsage();
        result = findAutomorphisms(graph, { workLimit: UNLIMITED });
        const { user, system } = process.cpuUsage(before);
        times.push((user + system) / 1000);
        elapsed += (user + system) / 1000;
    }
    writeLine(JSON.stringify({ cold: times[0], warm: times.at(-1), order: shortened(String(result.order)) }));
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

function measureBliss(file: string, limitSeconds: number): Measurement | undefined {
    const run = timed(`bliss ${file} | tail -n 3`, '', limitSeconds);
    const order = run?.output.match(/\|Aut\|:\s*(\d+)/)?.[1];
    const seconds = run?.output.match(/Total time:\s*([\d.]+)/)?.[1];
    return run === undefined || order === undefined
        ? undefined
        : { milliseconds: 1000 * Number(seconds), processMilliseconds: run.milliseconds, order: shortened(order) };
}

function measureDreadnaut(algorithm: 's' | 't', input: string, limitSeconds: number): Measurement | undefined {
    const run = timed('dreadnaut', `A${algorithm} -a -m\n${input}x\nq\n`, limitSeconds);
    const order = run?.output.match(/grpsize=([\d.e]+)/)?.[1];
    const seconds = run?.output.match(/cpu time = ([\d.]+)/)?.[1];
    return run === undefined || order === undefined
        ? undefined
        : { milliseconds: 1000 * Number(seconds), processMilliseconds: run.milliseconds, order };
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

function summary(measurements: readonly number[]): { median: number; least: number; greatest: number } {
    const sorted = [...measurements].sort((a, b) => a - b);
    const at = (index: number): number => Math.round(10 * (sorted[index] ?? NaN)) / 10;
    return { median: at(sorted.length >> 1), least: at(0), greatest: at(sorted.length - 1) };
}

function compare(name: string, rounds: number, limitSeconds: number): void {
    const graph = graphOfCase(name);
    const folder = mkdtempSync(join(tmpdir(), 'orbit-bench-'));
    const file = join(folder, 'graph.dimacs');
    writeFileSync(file, toDimacs(graph));
    const dreadnautInput = toDreadnaut(graph);
    const others: Record<string, () => Measurement | undefined> = {
        ...(existsSync('/usr/bin/bliss') && { bliss: () => measureBliss(file, limitSeconds) }),
        ...(existsSync('/usr/bin/dreadnaut') && {
            nauty: () => measureDreadnaut('s', dreadnautInput, limitSeconds),
            traces: () => measureDreadnaut('t', dreadnautInput, limitSeconds),
        }),
    };
    const results: Record<string, Measurement[] | undefined> = {};
    const cold: number[] = [];
    const warm: number[] = [];
    let order = '';
    for (let round = 0; round < rounds; round++) {
        const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), `--one=${name}`], {
            encoding: 'utf8',
        });
        const own = JSON.parse(child.stdout) as { cold: number; warm: number; order: string };
        cold.push(own.cold);
        warm.push(own.warm);
        order = own.order;
        for (const [program, measure] of Object.entries(others)) {
            const soFar = (results[program] ??= round === 0 ? [] : undefined);
            const measurement = soFar && measure();
            // A program that did not end in the first round is not asked again.
            if (measurement === undefined) {
                results[program] = undefined;
            } else {
                soFar?.push(measurement);
            }
        }
    }
    rmSync(folder, { recursive: true });
    const programs = Object.keys(others).map(program => {
        const measurements = results[program];
        return [
            program,
            measurements && {
                ...summary(measurements.map(measurement => measurement.milliseconds)),
                process: summary(measurements.map(measurement => measurement.processMilliseconds)).median,
                agrees: measurements.every(measurement => isSameOrder(measurement.order, order)),
            },
        ] as const;
    });
    writeLine(
        JSON.stringify({
            case: name,
            vertices: graph.vertexCount,
            edges: graph.edgeCount,
            order,
            cold: summary(cold),
            warm: summary(warm),
            ...Object.fromEntries(programs.map(([program, result]) => [program, result ?? `over ${limitSeconds} s`])),
        }),
    );
}

const flags = process.argv.slice(2).filter(argument => argument.startsWith('--'));
const flag = (name: string): string | undefined =>
    flags.find(argument => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const part = process.argv.slice(2).find(argument => !argument.startsWith('--')) ?? '';
const single = flag('one');
if (single !== undefined) {
    measureOurselves(single);
} else {
    for (const name of Object.keys(CASES).filter(name => name.includes(part))) {
        compare(name, Number(flag('rounds') ?? 5), Number(flag('limit') ?? 60));
    }
}
