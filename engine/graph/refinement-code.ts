/**
 * The refinement of ordered partitions as WebAssembly: what OrderedPartition and Refiner do, in the same order, on arrays of
 * one memory (refinement-memory.ts).
 *
 * V8 loads the length and the address of a typed array anew wherever one is used, so that an access takes three times as long
 * there as here; and it compiles this a hundred times faster than the scripts, most of whose first run is compilation.
 *
 * The comments of Refiner say why all this is right; the two are compared step by step in the tests.
 */
import { ModuleWriter } from '../webassembly/module-writer.js';
import { MOST_PAGES } from './compiled-code.js';
import { Body } from '../webassembly/function-body.js';
import type { Operand, Value, Variable } from '../webassembly/function-body.js';
import { FIXED, NONE, UNDECIDED } from './forced-vertices.js';
import { COUNT_FACTOR } from './refinement.js';
import { GLOBAL } from './refinement-memory.js';
import type { RefinementLayout } from './refinement-memory.js';

/** What `refine` and `repeat` return. */
export const OUTCOME = { equitable: 0, conflict: 1, paused: 2 } as const;

/** The functions of the module. Those with an outcome pause once so many edges were looked at since `edgesSeen` was 0. */
export interface RefinementFunctions {
    individualize(vertex: number): void;
    enqueue(start: number): void;
    refine(splitLimit: number, edgeLimit: number): number;
    /** Repeats recorded steps, from `nextStep` to `endStep - 1`. */
    repeat(endStep: number, edgeLimit: number): number;
    clearQueue(): void;
    split(parent: number, start: number): void;
    undoTo(splitCount: number): void;
    // As ForcedVertices: the first vertex that is fixed, and all that it forces.
    forceFirst(vertex: number): void;
    /** Goes on until `forcedEdges` is `edgeLimit` or more, or nothing more is forced: 1 then, else 0. */
    forceOthers(edgeLimit: number): number;
    /** Clears what must be 0, and returns whether all vertices are fixed: 0 or 1. */
    endForcing(): number;
    followForced(vertex: number): number;
}

/** The module for a layout; it imports the memory. */
export function refinementModule(layout: RefinementLayout): Uint8Array {
    return new RefinementCompiler(layout).compile();
}

class RefinementCompiler {
    readonly #layout: RefinementLayout;
    readonly #module = new ModuleWriter();
    readonly #enqueue = this.#announce(1, false);
    readonly #dequeue = this.#announce(0, true);
    readonly #clearQueue = this.#announce(0, false);
    readonly #countDifference = this.#announce(3, false);
    readonly #compareParts = this.#announce(3, false);
    readonly #split = this.#announce(2, false);
    readonly #undoTo = this.#announce(1, false);
    readonly #individualize = this.#announce(1, false);
    readonly #record = this.#announce(1, true);
    readonly #sortTouchedCells = this.#announce(0, false);
    readonly #splitInTwo = this.#announce(2, true);
    readonly #splitByCounts = this.#announce(5, true);
    readonly #splitBySingleton = this.#announce(1, true);
    readonly #countDegrees = this.#announce(0, true);
    readonly #countNeighborsIn = this.#announce(1, false);
    readonly #moveTouchedToEnds = this.#announce(0, false);
    readonly #splitByCell = this.#announce(1, true);
    readonly #refine = this.#announce(2, true);
    readonly #repeat = this.#announce(2, true);
    readonly #fix = this.#announce(2, false);
    readonly #forceFirst = this.#announce(1, false);
    readonly #forceOthers = this.#announce(1, true);
    readonly #endForcing = this.#announce(0, true);
    readonly #followForced = this.#announce(1, true);

    constructor(layout: RefinementLayout) {
        this.#layout = layout;
    }

    compile(): Uint8Array {
        this.#writeQueue();
        this.#writeDifferences();
        this.#writeSplit();
        this.#writeUndoTo();
        this.#writeIndividualize();
        this.#writeRecord();
        this.#writeSort();
        this.#writeSplitInTwo();
        this.#writeSplitByCounts();
        this.#writeSplitBySingleton();
        this.#writeCountDegrees();
        this.#writeCountNeighborsIn();
        this.#writeMoveTouchedToEnds();
        this.#writeSplitByCell();
        this.#writeRefine();
        this.#writeRepeat();
        this.#writeForcing();
        this.#writeForceOthers();
        this.#writeEndForcing();
        const exports: Readonly<Record<keyof RefinementFunctions, number>> = {
            individualize: this.#individualize,
            enqueue: this.#enqueue,
            refine: this.#refine,
            repeat: this.#repeat,
            clearQueue: this.#clearQueue,
            split: this.#split,
            undoTo: this.#undoTo,
            forceFirst: this.#forceFirst,
            forceOthers: this.#forceOthers,
            endForcing: this.#endForcing,
            followForced: this.#followForced,
        };
        for (const [name, target] of Object.entries(exports)) {
            this.#module.export(name, target);
        }
        return this.#module.toBytes(MOST_PAGES, false);
    }

    #announce(parameterCount: number, hasResult: boolean): number {
        return this.#module.announce({
            parameters: Array<'i32'>(parameterCount).fill('i32'),
            results: hasResult ? ['i32'] : [],
        });
    }

    #define(target: number, parameterCount: number, write: (b: Body, ...parameters: Variable[]) => void): void {
        const b = new Body(parameterCount);
        write(b, ...Array.from({ length: parameterCount }, (_, index) => b.parameter(index)));
        this.#module.define(target, b.writer);
    }

    #writeQueue(): void {
        const { isQueued, cellLength, singletons, queue } = this.#layout;
        this.#define(this.#enqueue, 1, (b, start) => {
            b.block(leaveIf => {
                leaveIf(b.global(GLOBAL.isRepeating));
                leaveIf(b.at(isQueued, start));
                b.at(isQueued, start).set(1);
                b.if(
                    b.at(cellLength, start).is(1),
                    () => {
                        b.at(singletons, b.global(GLOBAL.singletonCount)).set(start);
                        b.global(GLOBAL.singletonCount).add(1);
                    },
                    () => {
                        const end = b.variable(b.global(GLOBAL.queueHead).plus(b.global(GLOBAL.queueLength)));
                        b.if(end.isAtLeast(b.global(GLOBAL.vertexCount)), () => {
                            end.set(end.minus(b.global(GLOBAL.vertexCount)));
                        });
                        b.at(queue, end).set(start);
                        b.global(GLOBAL.queueLength).add(1);
                    },
                );
            });
        });
        this.#define(this.#dequeue, 0, b => {
            const start = b.variable(0);
            b.if(
                b.global(GLOBAL.singletonCount),
                () => {
                    b.global(GLOBAL.singletonCount).add(-1);
                    start.set(b.at(singletons, b.global(GLOBAL.singletonCount)));
                },
                () => {
                    const head = b.variable(b.global(GLOBAL.queueHead));
                    start.set(b.at(queue, head));
                    b.global(GLOBAL.queueLength).add(-1);
                    head.add(1);
                    b.if(head.is(b.global(GLOBAL.vertexCount)), () => {
                        head.set(0);
                    });
                    b.global(GLOBAL.queueHead).set(head);
                },
            );
            b.at(isQueued, start).set(0);
            b.result(start);
        });
        this.#define(this.#clearQueue, 0, b => {
            b.while(b.global(GLOBAL.singletonCount).plus(b.global(GLOBAL.queueLength)), () => {
                b.variable(b.call(this.#dequeue));
            });
        });
    }

    /** As `#countDifference` and `#compareParts` of OrderedPartition. */
    #writeDifferences(): void {
        const { elements, position, strangers, strangersBefore, leafElements, leafPosition } = this.#layout;
        this.#define(this.#countDifference, 3, (b, strangerCount, length, sign) => {
            b.if(strangerCount, () => {
                b.if(length.isGreater(1), () => {
                    b.global(GLOBAL.differentCells).add(sign);
                    b.global(GLOBAL.differentVertices).add(sign.times(strangerCount));
                });
            });
        });
        this.#define(this.#compareParts, 3, (b, front, back, end) => {
            const backHereBackThere = b.variable(0);
            const backHereFrontThere = b.variable(0);
            const frontHereBackThere = b.variable(0);
            b.for(back, end, place => {
                const there = b.variable(b.at(leafPosition, b.at(elements, place)));
                b.if(there.isLess(end), () => {
                    b.if(
                        there.isAtLeast(back),
                        () => {
                            backHereBackThere.add(1);
                        },
                        () => {
                            backHereFrontThere.add(there.isAtLeast(front));
                        },
                    );
                });
                const here = b.variable(b.at(position, b.at(leafElements, place)));
                frontHereBackThere.add(here.isAtLeast(front).and(here.isLess(back)));
            });
            const before = b.variable(b.at(strangers, front));
            const backLength = b.variable(end.minus(back));
            const ofBack = b.variable(backLength.minus(backHereBackThere));
            // front length - (friends before - the three counts)
            const ofFront = b.variable(
                back
                    .minus(front)
                    .minus(end.minus(front).minus(before))
                    .plus(backHereBackThere)
                    .plus(backHereFrontThere)
                    .plus(frontHereBackThere),
            );
            b.at(strangers, back).set(ofBack);
            b.at(strangers, front).set(ofFront);
            b.at(strangersBefore, b.global(GLOBAL.splitCount)).set(before);
            b.run(this.#countDifference, before, end.minus(front), -1);
            b.run(this.#countDifference, ofFront, back.minus(front), 1);
            b.run(this.#countDifference, ofBack, backLength, 1);
        });
    }

    #writeSplit(): void {
        const { elements, cellOf, cellLength, splitStart, splitParent } = this.#layout;
        this.#define(this.#split, 2, (b, parent, start) => {
            const end = b.variable(parent.plus(b.at(cellLength, parent)));
            const splitCount = b.variable(b.global(GLOBAL.splitCount));
            b.at(cellLength, parent).set(start.minus(parent));
            b.at(cellLength, start).set(end.minus(start));
            b.at(splitStart, splitCount).set(start);
            b.at(splitParent, splitCount).set(parent);
            b.if(splitCount.isLess(b.global(GLOBAL.watchedSplits)), () => {
                b.run(this.#compareParts, parent, start, end);
            });
            b.for(start, end, place => {
                b.at(cellOf, b.at(elements, place)).set(start);
            });
            b.global(GLOBAL.splitCount).set(splitCount.plus(1));
            b.global(GLOBAL.cellCount).add(1);
        });
    }

    #writeUndoTo(): void {
        const { elements, cellOf, cellLength, splitStart, splitParent, strangers, strangersBefore } = this.#layout;
        this.#define(this.#undoTo, 1, (b, splitCount) => {
            const i = b.variable(b.global(GLOBAL.splitCount));
            b.global(GLOBAL.cellCount).add(splitCount.minus(i));
            b.while(i.isGreater(splitCount), () => {
                i.add(-1);
                const start = b.variable(b.at(splitStart, i));
                const parent = b.variable(b.at(splitParent, i));
                const end = b.variable(start.plus(b.at(cellLength, start)));
                b.if(i.isLess(b.global(GLOBAL.watchedSplits)), () => {
                    const before = b.variable(b.at(strangersBefore, i));
                    b.run(this.#countDifference, b.at(strangers, parent), start.minus(parent), -1);
                    b.run(this.#countDifference, b.at(strangers, start), end.minus(start), -1);
                    b.at(strangers, parent).set(before);
                    b.run(this.#countDifference, before, end.minus(parent), 1);
                });
                b.for(start, end, place => {
                    b.at(cellOf, b.at(elements, place)).set(parent);
                });
                b.at(cellLength, parent).set(end.minus(parent));
            });
            b.global(GLOBAL.splitCount).set(splitCount);
        });
    }

    #writeIndividualize(): void {
        const { elements, position, cellOf, cellLength } = this.#layout;
        this.#define(this.#individualize, 1, (b, vertex) => {
            const cell = b.variable(b.at(cellOf, vertex));
            const last = b.variable(cell.plus(b.at(cellLength, cell)).minus(1));
            const other = b.variable(b.at(elements, last));
            const place = b.variable(b.at(position, vertex));
            b.at(elements, last).set(vertex);
            b.at(elements, place).set(other);
            b.at(position, vertex).set(last);
            b.at(position, other).set(place);
            b.run(this.#split, cell, last);
            b.run(this.#enqueue, last);
        });
    }

    #writeRecord(): void {
        const { trace } = this.#layout;
        this.#define(this.#record, 1, (b, event) => {
            const agrees = b.variable(1);
            b.if(
                b.global(GLOBAL.isComparing),
                () => {
                    const cursor = b.variable(b.global(GLOBAL.traceCursor));
                    agrees.set(0);
                    b.if(cursor.isLess(b.global(GLOBAL.traceLength)), () => {
                        agrees.set(b.at(trace, cursor).is(event));
                        b.global(GLOBAL.traceCursor).set(cursor.plus(1));
                    });
                },
                () => {
                    b.if(
                        b.global(GLOBAL.isSigning),
                        () => {
                            const signature = b.global(GLOBAL.signature);
                            signature.set(mix(b, signature.times(COUNT_FACTOR).plus(event)));
                        },
                        () => {
                            b.at(trace, b.global(GLOBAL.traceLength)).set(event);
                            b.global(GLOBAL.traceLength).add(1);
                        },
                    );
                },
            );
            b.result(agrees);
        });
    }

    /** Insertion sort over ever smaller gaps, the last of which is 1. */
    #writeSort(): void {
        const { touchedCells } = this.#layout;
        this.#define(this.#sortTouchedCells, 0, b => {
            const count = b.variable(b.global(GLOBAL.touchedCellCount));
            const gap = b.variable(1);
            b.while(gap.times(FIRST_GAP).isLess(count), () => {
                gap.set(gap.times(3).plus(1));
            });
            b.while(gap, () => {
                b.for(gap, count, i => {
                    const cell = b.variable(b.at(touchedCells, i));
                    const j = b.variable(i);
                    b.block(leaveIf => {
                        b.while(j.isAtLeast(gap), () => {
                            const other = b.variable(b.at(touchedCells, j.minus(gap)));
                            leaveIf(other.isLess(cell));
                            b.at(touchedCells, j).set(other);
                            j.set(j.minus(gap));
                        });
                    });
                    b.at(touchedCells, j).set(cell);
                });
                gap.set(third(gap));
            });
        });
    }

    #writeSplitInTwo(): void {
        const { cellLength, isQueued, trace } = this.#layout;
        this.#define(this.#splitInTwo, 2, (b, cell, start) => {
            b.run(this.#split, cell, start);
            b.if(b.global(GLOBAL.isRepeating), () => {
                const cursor = b.variable(b.global(GLOBAL.traceCursor));
                b.global(GLOBAL.traceCursor).set(cursor.plus(1));
                b.return(b.at(trace, cursor).is(start));
            });
            b.if(
                b.at(cellLength, start).isGreater(b.at(cellLength, cell)).and(b.at(isQueued, cell).is(0)),
                () => {
                    b.run(this.#enqueue, cell);
                },
                () => {
                    b.run(this.#enqueue, start);
                },
            );
            b.result(b.call(this.#record, start));
        });
    }

    #writeSplitByCounts(): void {
        const { elements, position, cellLength, neighborCount, bucket, copy, isQueued, splitStart } = this.#layout;
        this.#define(this.#splitByCounts, 5, (b, cell, touchedStart, end, least, greatest) => {
            const countBase = b.variable(b.global(GLOBAL.countBase));
            b.for(touchedStart, end, place => {
                const vertex = b.variable(b.at(elements, place));
                b.at(copy, place.minus(touchedStart)).set(vertex);
                const count = b.variable(b.at(neighborCount, vertex).minus(countBase));
                b.at(bucket, count).add(1);
            });
            const next = b.variable(touchedStart);
            b.for(least, greatest.plus(1), count => {
                const size = b.variable(b.at(bucket, count));
                b.at(bucket, count).set(next);
                next.add(size);
            });
            b.for(0, end.minus(touchedStart), i => {
                const vertex = b.variable(b.at(copy, i));
                const count = b.variable(b.at(neighborCount, vertex).minus(countBase));
                const place = b.variable(b.at(bucket, count));
                b.at(bucket, count).set(place.plus(1));
                b.at(elements, place).set(vertex);
                b.at(position, vertex).set(place);
            });
            const agrees = b.variable(1);
            const partEnd = b.variable(end);
            const largest = b.variable(0);
            const largestStart = b.variable(cell);
            const firstSplit = b.variable(b.global(GLOBAL.splitCount));
            const count = b.variable(greatest);
            b.while(count.isAtLeast(least), () => {
                const partStart = b.variable(touchedStart);
                b.if(count.isNot(least), () => {
                    partStart.set(b.at(bucket, count, -1));
                });
                b.at(bucket, count).set(0);
                b.if(partStart.isNot(partEnd), () => {
                    const length = b.variable(partEnd.minus(partStart));
                    this.#addToHash(b, cell, count, length);
                    b.if(partStart.isGreater(cell), () => {
                        b.run(this.#split, cell, partStart);
                        agrees.set(b.call(this.#record, partStart).and(agrees));
                    });
                    b.if(length.isGreater(largest), () => {
                        largest.set(length);
                        largestStart.set(partStart);
                    });
                    partEnd.set(partStart);
                });
                count.add(-1);
            });
            b.if(b.at(cellLength, cell).isAtLeast(largest), () => {
                largestStart.set(cell);
            });
            const wasQueued = b.variable(b.at(isQueued, cell));
            b.for(firstSplit, b.variable(b.global(GLOBAL.splitCount)), i => {
                const start = b.variable(b.at(splitStart, i));
                b.if(wasQueued.plus(start.isNot(largestStart)), () => {
                    b.run(this.#enqueue, start);
                });
            });
            b.if(wasQueued.is(0).and(largestStart.isNot(cell)), () => {
                b.run(this.#enqueue, cell);
            });
            b.result(agrees);
        });
    }

    /** Writes `work` for each cell with touched vertices, while it agrees; the number of these is 0 afterwards. Whether all do. */
    #forEachTouchedCell(
        b: Body,
        touchedCellCount: Value,
        work: (cell: Variable, touched: Variable, agrees: Variable) => void,
    ): Variable {
        const { touchedLength, touchedCells } = this.#layout;
        const agrees = b.variable(1);
        b.for(0, touchedCellCount, i => {
            const cell = b.variable(b.at(touchedCells, i));
            const touched = b.variable(b.at(touchedLength, cell));
            b.at(touchedLength, cell).set(0);
            b.if(agrees, () => {
                work(cell, touched, agrees);
            });
        });
        return agrees;
    }

    /** Writes that a vertex and the one at the place `target` change places. */
    #exchange(b: Body, vertex: Value, target: Variable): void {
        const { elements, position } = this.#layout;
        const place = b.variable(b.at(position, vertex));
        const other = b.variable(b.at(elements, target));
        b.at(elements, target).set(vertex);
        b.at(elements, place).set(other);
        b.at(position, vertex).set(target);
        b.at(position, other).set(place);
    }

    #writeSplitBySingleton(): void {
        const { elements, cellOf, cellLength, firstNeighbor, neighbors, touchedLength, touchedCells } = this.#layout;
        this.#define(this.#splitBySingleton, 1, (b, start) => {
            const vertex = b.variable(b.at(elements, start));
            const rowStart = b.variable(b.at(firstNeighbor, vertex));
            const rowEnd = b.variable(b.at(firstNeighbor, vertex, 1));
            const hash = b.variable(mix(b, start));
            const touchedCellCount = b.variable(0);
            b.for(rowStart, rowEnd, i => {
                const neighbor = b.variable(b.at(neighbors, i));
                const cell = b.variable(b.at(cellOf, neighbor));
                const length = b.variable(b.at(cellLength, cell));
                b.if(
                    length.is(1),
                    () => {
                        hash.add(mix(b, cell));
                    },
                    () => {
                        const touched = b.variable(b.at(touchedLength, cell));
                        b.at(touchedLength, cell).set(touched.plus(1));
                        b.if(touched.is(0), () => {
                            b.at(touchedCells, touchedCellCount).set(cell);
                            touchedCellCount.add(1);
                        });
                        this.#exchange(b, neighbor, b.variable(cell.plus(length).minus(touched).minus(1)));
                    },
                );
            });
            b.global(GLOBAL.edgesSeen).add(rowEnd.minus(rowStart).plus(1));
            b.global(GLOBAL.touchedCellCount).set(touchedCellCount);
            b.if(touchedCellCount.isGreater(1), () => {
                b.run(this.#sortTouchedCells);
            });
            const agrees = this.#forEachTouchedCell(b, touchedCellCount, (cell, touched, agrees) => {
                hash.add(mix(b, cell.plus(touched.times(COUNT_FACTOR))));
                const length = b.variable(b.at(cellLength, cell));
                b.if(touched.isLess(length), () => {
                    agrees.set(b.call(this.#splitInTwo, cell, cell.plus(length).minus(touched)));
                });
            });
            b.if(agrees, () => {
                agrees.set(b.call(this.#record, hash));
            });
            b.result(agrees);
        });
    }

    #writeCountDegrees(): void {
        const { firstNeighbor, neighborCount, touchedLength, touchedCells } = this.#layout;
        this.#define(this.#countDegrees, 0, b => {
            const vertexCount = b.variable(b.global(GLOBAL.vertexCount));
            const countBase = b.variable(b.global(GLOBAL.countBase));
            const isolated = b.variable(0);
            b.for(0, vertexCount, vertex => {
                const degree = b.variable(b.at(firstNeighbor, vertex, 1).minus(b.at(firstNeighbor, vertex)));
                b.at(neighborCount, vertex).set(countBase.plus(degree));
                isolated.add(degree.is(0));
            });
            b.if(isolated, () => {
                b.for(0, vertexCount, vertex => {
                    b.at(neighborCount, vertex).set(countBase);
                });
                b.return(0);
            });
            b.at(touchedLength, 0).set(vertexCount);
            b.at(touchedCells, 0).set(0);
            b.global(GLOBAL.touchedCellCount).set(1);
            b.global(GLOBAL.areCountsOne).set(0);
            b.global(GLOBAL.edgesSeen).add(vertexCount);
            b.global(GLOBAL.stepHash).set(mix(b, b.variable(0)));
            b.result(1);
        });
    }

    #writeCountNeighborsIn(): void {
        const { elements, cellOf, cellLength, firstNeighbor, neighbors } = this.#layout;
        const { neighborCount, touchedLength, touchedCells, touched } = this.#layout;
        this.#define(this.#countNeighborsIn, 1, (b, start) => {
            const vertexCount = b.variable(b.global(GLOBAL.vertexCount));
            const end = b.variable(start.plus(b.at(cellLength, start)));
            const countBase = b.variable(b.global(GLOBAL.countBase).plus(b.global(GLOBAL.greatestCount)));
            b.if(countBase.isGreater(LAST_COUNT_BASE), () => {
                b.for(0, vertexCount, vertex => {
                    b.at(neighborCount, vertex).set(0);
                });
                countBase.set(0);
            });
            b.global(GLOBAL.countBase).set(countBase);
            b.global(GLOBAL.greatestCount).set(end.minus(start));
            b.block(leaveIf => {
                b.if(end.minus(start).is(vertexCount), () => {
                    leaveIf(b.call(this.#countDegrees));
                });
                // No branch depends on a neighbor here: in dense graphs it would be foretold wrong half of the time.
                const listed = b.variable(0);
                const edgeCount = b.variable(0);
                b.for(start, end, place => {
                    const vertex = b.variable(b.at(elements, place));
                    const rowStart = b.variable(b.at(firstNeighbor, vertex));
                    const rowEnd = b.variable(b.at(firstNeighbor, vertex, 1));
                    edgeCount.set(edgeCount.plus(rowEnd).minus(rowStart));
                    b.for(rowStart, rowEnd, i => {
                        const neighbor = b.variable(b.at(neighbors, i));
                        const count = b.variable(b.at(neighborCount, neighbor));
                        const isNew = b.variable(count.isAtMost(countBase));
                        b.at(neighborCount, neighbor).set(b.select(isNew, countBase, count).plus(1));
                        b.at(touched, listed).set(neighbor);
                        listed.add(isNew);
                    });
                });
                const touchedCount = b.variable(0);
                const touchedCellCount = b.variable(0);
                const hash = b.variable(mix(b, start));
                b.for(0, listed, i => {
                    const neighbor = b.variable(b.at(touched, i));
                    const cell = b.variable(b.at(cellOf, neighbor));
                    b.if(
                        b.at(cellLength, cell).is(1),
                        () => {
                            hash.add(mix(b, cell).times(b.at(neighborCount, neighbor).minus(countBase)));
                        },
                        () => {
                            b.at(touched, touchedCount).set(neighbor);
                            touchedCount.add(1);
                            const length = b.variable(b.at(touchedLength, cell));
                            b.at(touchedLength, cell).set(length.plus(1));
                            b.if(length.is(0), () => {
                                b.at(touchedCells, touchedCellCount).set(cell);
                                touchedCellCount.add(1);
                            });
                        },
                    );
                });
                b.global(GLOBAL.edgesSeen).add(edgeCount.plus(end).minus(start));
                b.global(GLOBAL.areCountsOne).set(listed.is(edgeCount));
                b.global(GLOBAL.touchedCount).set(touchedCount);
                b.global(GLOBAL.touchedCellCount).set(touchedCellCount);
                b.global(GLOBAL.stepHash).set(hash);
            });
        });
    }

    #writeMoveTouchedToEnds(): void {
        const { cellOf, cellLength } = this.#layout;
        const { touched, touchedLength, movedLength, touchedCells } = this.#layout;
        this.#define(this.#moveTouchedToEnds, 0, b => {
            b.for(0, b.variable(b.global(GLOBAL.touchedCount)), i => {
                const vertex = b.variable(b.at(touched, i));
                const cell = b.variable(b.at(cellOf, vertex));
                const length = b.variable(b.at(cellLength, cell));
                b.if(b.at(touchedLength, cell).isNot(length), () => {
                    const moved = b.variable(b.at(movedLength, cell).plus(1));
                    b.at(movedLength, cell).set(moved);
                    this.#exchange(b, vertex, b.variable(cell.plus(length).minus(moved)));
                });
            });
            b.for(0, b.variable(b.global(GLOBAL.touchedCellCount)), i => {
                b.at(movedLength, b.at(touchedCells, i)).set(0);
            });
        });
    }

    #writeSplitByCell(): void {
        const { elements, cellLength, neighborCount, touchedLength, touchedCells } = this.#layout;
        this.#define(this.#splitByCell, 1, (b, start) => {
            b.run(this.#countNeighborsIn, start);
            const countBase = b.variable(b.global(GLOBAL.countBase));
            const touchedCellCount = b.variable(b.global(GLOBAL.touchedCellCount));
            const areCountsOne = b.variable(b.global(GLOBAL.areCountsOne));
            const arePartial = b.variable(0);
            b.for(0, touchedCellCount, i => {
                const cell = b.variable(b.at(touchedCells, i));
                arePartial.add(b.at(touchedLength, cell).isNot(b.at(cellLength, cell)));
            });
            b.if(arePartial, () => {
                b.run(this.#moveTouchedToEnds);
            });
            b.if(arePartial.plus(areCountsOne.is(0)), () => {
                b.run(this.#sortTouchedCells);
            });
            const agrees = this.#forEachTouchedCell(b, touchedCellCount, (cell, touched, agrees) => {
                const length = b.variable(b.at(cellLength, cell));
                const end = b.variable(cell.plus(length));
                const touchedStart = b.variable(end.minus(touched));
                const least = b.variable(1);
                const greatest = b.variable(1);
                b.if(areCountsOne.is(0), () => {
                    least.set(b.at(neighborCount, b.at(elements, touchedStart)));
                    greatest.set(least);
                    b.for(touchedStart.plus(1), end, place => {
                        const count = b.variable(b.at(neighborCount, b.at(elements, place)));
                        b.if(count.isLess(least), () => {
                            least.set(count);
                        });
                        b.if(count.isGreater(greatest), () => {
                            greatest.set(count);
                        });
                    });
                    least.set(least.minus(countBase));
                    greatest.set(greatest.minus(countBase));
                });
                b.if(
                    least.isLess(greatest),
                    () => {
                        agrees.set(b.call(this.#splitByCounts, cell, touchedStart, end, least, greatest));
                    },
                    () => {
                        this.#addToHash(b, cell, least, touched);
                        b.if(touched.isLess(length), () => {
                            agrees.set(b.call(this.#splitInTwo, cell, touchedStart));
                        });
                    },
                );
            });
            b.if(agrees, () => {
                agrees.set(b.call(this.#record, b.global(GLOBAL.stepHash)));
            });
            b.result(agrees);
        });
    }

    #writeRefine(): void {
        const { stepSplitter, stepTrace } = this.#layout;
        this.#define(this.#refine, 2, (b, splitLimit, edgeLimit) => {
            const vertexCount = b.variable(b.global(GLOBAL.vertexCount));
            const isRecording = b.variable(b.global(GLOBAL.isComparing).plus(b.global(GLOBAL.isSigning)).is(0));
            const isUnfinished = (): Value =>
                b
                    .global(GLOBAL.singletonCount)
                    .plus(b.global(GLOBAL.queueLength))
                    .isGreater(0)
                    .and(b.global(GLOBAL.cellCount).isLess(vertexCount))
                    .and(b.global(GLOBAL.splitCount).isLess(splitLimit));
            b.while(isUnfinished(), () => {
                const edgesSeen = b.variable(b.global(GLOBAL.edgesSeen));
                b.if(edgesSeen.isAtLeast(edgeLimit), () => {
                    b.return(OUTCOME.paused);
                });
                const splitCount = b.variable(b.global(GLOBAL.splitCount));
                const firstEvent = b.variable(b.global(GLOBAL.traceLength));
                const start = b.variable(b.call(this.#dequeue));
                b.if(this.#splitBy(b, start).is(0), () => {
                    b.run(this.#clearQueue);
                    b.return(OUTCOME.conflict);
                });
                b.if(isRecording.and(b.global(GLOBAL.splitCount).isGreater(splitCount)), () => {
                    const step = b.variable(b.global(GLOBAL.stepCount));
                    b.at(stepSplitter, step).set(start);
                    b.at(stepTrace, step).set(firstEvent);
                    b.global(GLOBAL.stepCount).set(step.plus(1));
                    b.global(GLOBAL.stepEdges).add(b.global(GLOBAL.edgesSeen).minus(edgesSeen));
                });
            });
            b.run(this.#clearQueue);
            b.result(OUTCOME.equitable);
        });
    }

    #writeRepeat(): void {
        const { stepSplitter, stepTrace } = this.#layout;
        this.#define(this.#repeat, 2, (b, endStep, edgeLimit) => {
            b.while(b.global(GLOBAL.nextStep).isLess(endStep), () => {
                b.if(b.global(GLOBAL.edgesSeen).isAtLeast(edgeLimit), () => {
                    b.return(OUTCOME.paused);
                });
                const step = b.variable(b.global(GLOBAL.nextStep));
                b.global(GLOBAL.traceCursor).set(b.at(stepTrace, step));
                b.global(GLOBAL.nextStep).set(step.plus(1));
                const start = b.variable(b.at(stepSplitter, step));
                b.if(this.#splitBy(b, start).is(0), () => {
                    b.return(OUTCOME.conflict);
                });
            });
            b.result(OUTCOME.equitable);
        });
    }

    /**
     * As `#fixAll` of ForcedVertices. Nothing is refined meanwhile, so that these arrays serve: `queue` for the fixed vertices,
     * `singletons` for those that are looked at again, `bucket` for their states, `touchedLength` for how many are fixed in a
     * cell, and of one row `touchedCells` for its cells, `movedLength` for whether they are among these, and `copy` for the
     * only vertex.
     */
    #writeForcing(): void {
        const { cellOf, cellLength, elements, position } = this.#layout;
        const { queue, bucket, touchedLength, forcedPositions, forcedSources } = this.#layout;
        const append = (b: Body, vertex: Value, place: Variable, source: Operand): void => {
            const count = b.variable(b.global(GLOBAL.forcedCount));
            b.at(bucket, vertex).set(FIXED);
            b.at(forcedPositions, count).set(place);
            b.at(forcedSources, count).set(source);
            b.at(queue, count).set(vertex);
            b.global(GLOBAL.forcedCount).set(count.plus(1));
        };
        this.#define(this.#fix, 2, (b, vertex, source) => {
            const cell = b.variable(b.at(cellOf, vertex));
            const fixedCount = b.variable(b.at(touchedLength, cell).plus(1));
            const left = b.variable(b.at(cellLength, cell).minus(fixedCount));
            const place = b.variable(cell.plus(left));
            this.#exchange(b, vertex, place);
            append(b, vertex, place, source);
            b.if(left.is(1), () => {
                fixedCount.add(1);
                append(b, b.variable(b.at(elements, cell)), cell, NONE);
            });
            b.at(touchedLength, cell).set(fixedCount);
        });
        this.#define(this.#forceFirst, 1, (b, vertex) => {
            b.global(GLOBAL.forcedCount).set(0);
            b.global(GLOBAL.nextForced).set(0);
            b.global(GLOBAL.againCount).set(0);
            b.global(GLOBAL.forcedEdges).set(0);
            b.run(this.#fix, vertex, NONE);
        });
        this.#define(this.#followForced, 1, (b, vertex) => {
            const count = b.variable(b.global(GLOBAL.forcedCount));
            const { firstNeighbor, neighbors } = this.#layout;
            const ownCell = b.variable(b.at(cellOf, vertex));
            this.#exchange(b, vertex, b.variable(ownCell.plus(b.at(cellLength, ownCell)).minus(1)));
            b.for(1, count, i => {
                const sourcePlace = b.variable(b.at(forcedSources, i));
                b.if(sourcePlace.isNot(NONE), () => {
                    const place = b.variable(b.at(forcedPositions, i));
                    const cell = b.variable(b.at(cellOf, b.at(elements, place)));
                    const source = b.variable(b.at(elements, sourcePlace));
                    const rowEnd = b.variable(b.at(firstNeighbor, source, 1));
                    const next = b.variable(b.at(firstNeighbor, source));
                    const image = b.variable(0);
                    b.block(leaveIf => {
                        b.while(next.isLess(rowEnd), () => {
                            image.set(b.at(neighbors, next));
                            leaveIf(b.at(cellOf, image).is(cell).and(b.at(position, image).isAtMost(place)));
                            next.add(1);
                        });
                        b.return(0);
                    });
                    this.#exchange(b, image, place);
                });
            });
            b.result(1);
        });
    }

    #writeForceOthers(): void {
        const { cellOf, cellLength, position, firstNeighbor, neighbors } = this.#layout;
        const { queue, singletons, bucket, touchedCells, movedLength, copy } = this.#layout;
        this.#define(this.#forceOthers, 1, (b, edgeLimit) => {
            const isLeft = (): Value =>
                b.global(GLOBAL.forcedCount).minus(b.global(GLOBAL.nextForced)).plus(b.global(GLOBAL.againCount));
            b.while(isLeft(), () => {
                b.if(b.global(GLOBAL.forcedEdges).isAtLeast(edgeLimit), () => {
                    b.return(0);
                });
                const current = b.variable(0);
                const nextForced = b.variable(b.global(GLOBAL.nextForced));
                const isNew = b.variable(nextForced.isLess(b.global(GLOBAL.forcedCount)));
                b.if(
                    isNew,
                    () => {
                        current.set(b.at(queue, nextForced));
                        b.global(GLOBAL.nextForced).set(nextForced.plus(1));
                    },
                    () => {
                        b.global(GLOBAL.againCount).add(-1);
                        current.set(b.at(singletons, b.global(GLOBAL.againCount)));
                    },
                );
                const cellCount = b.variable(0);
                const rowStart = b.variable(b.at(firstNeighbor, current));
                const rowEnd = b.variable(b.at(firstNeighbor, current, 1));
                b.for(rowStart, rowEnd, i => {
                    const neighbor = b.variable(b.at(neighbors, i));
                    const state = b.variable(b.at(bucket, neighbor));
                    b.if(
                        state,
                        () => {
                            b.if(state.is(UNDECIDED).and(isNew), () => {
                                b.at(bucket, neighbor).set(FIXED);
                                b.at(singletons, b.global(GLOBAL.againCount)).set(neighbor);
                                b.global(GLOBAL.againCount).add(1);
                            });
                        },
                        () => {
                            const cell = b.variable(b.at(cellOf, neighbor));
                            b.if(
                                b.at(movedLength, cell),
                                () => {
                                    b.at(copy, cell).set(NONE);
                                },
                                () => {
                                    b.if(b.at(cellLength, cell).isGreater(1), () => {
                                        b.at(movedLength, cell).set(1);
                                        b.at(copy, cell).set(neighbor);
                                        b.at(touchedCells, cellCount).set(cell);
                                        cellCount.add(1);
                                    });
                                },
                            );
                        },
                    );
                });
                b.global(GLOBAL.forcedEdges).add(rowEnd.minus(rowStart).plus(1));
                b.for(0, cellCount, i => {
                    const cell = b.variable(b.at(touchedCells, i));
                    const forced = b.variable(b.at(copy, cell));
                    b.at(movedLength, cell).set(0);
                    b.if(
                        forced.is(NONE),
                        () => {
                            b.at(bucket, current).set(UNDECIDED);
                        },
                        () => {
                            b.run(this.#fix, forced, b.at(position, current));
                        },
                    );
                });
            });
            b.result(1);
        });
    }

    #writeEndForcing(): void {
        const { cellOf, cellLength, queue, bucket, touchedLength } = this.#layout;
        this.#define(this.#endForcing, 0, b => {
            const vertexCount = b.variable(b.global(GLOBAL.vertexCount));
            const cell = b.variable(0);
            b.block(leaveIf => {
                b.while(cell.isLess(vertexCount), () => {
                    const length = b.variable(b.at(cellLength, cell));
                    leaveIf(length.isGreater(1).and(b.at(touchedLength, cell).isNot(length)));
                    cell.set(cell.plus(length));
                });
            });
            b.for(0, b.variable(b.global(GLOBAL.forcedCount)), i => {
                const vertex = b.variable(b.at(queue, i));
                b.at(bucket, vertex).set(0);
                b.at(touchedLength, b.at(cellOf, vertex)).set(0);
            });
            b.result(cell.is(vertexCount));
        });
    }

    #splitBy(b: Body, start: Variable): Value {
        const agrees = b.variable(0);
        b.if(
            b.at(this.#layout.cellLength, start).is(1),
            () => {
                agrees.set(b.call(this.#splitBySingleton, start));
            },
            () => {
                agrees.set(b.call(this.#splitByCell, start));
            },
        );
        return agrees;
    }

    #addToHash(b: Body, cell: Variable, count: Variable, length: Variable): void {
        const scrambled = b.variable(mix(b, length));
        b.global(GLOBAL.stepHash).add(mix(b, cell.plus(scrambled.plus(count).times(COUNT_FACTOR))));
    }
}

/** Bases of counts do not exceed this: the counts of a step come on top. */
const LAST_COUNT_BASE = 2 ** 30;

/** The first gap of a sort is such that so many fit into what is sorted. */
const FIRST_GAP = 24;

/** A third of a gap from the sequence 1, 4, 13, …: 0 of 1. */
function third(gap: Variable): Value {
    return gap.minus(1).times(THIRD);
}

/** The inverse of 3 modulo 2^32: what is divisible by 3 is divided by it. */
const THIRD = 0xaaaaaaab;

/** As in the refiner. The value is computed once. */
function mix(b: Body, value: Operand): Value {
    const once = b.variable(value);
    const product = b.variable(once.xor(once.shiftedRight(16)).times(0x85ebca6b));
    return product.xor(product.shiftedRight(13));
}
