/**
 * Where the locals of an instance hold a value: live-variable analysis on its offers, one declared local at a time. A
 * local is live at a location if some run from there reads it before writing it whole. Tests, guards, arguments and
 * indices are reads, and so is a write to a part of an array or a record. A local that is not live holds no value.
 */
import { unreachable } from '../../common/assert.js';
import type { SourceRange } from '../../common/source-range.js';
import type { Variable } from '../../model/model.js';
import { supportOf } from '../cell-access.js';
import { sizeOfArray } from '../cell-layout.js';
import type { Cell, SequentialExpression, SequentialStatement } from '../sequential-model.js';
import type { InstanceView, OfferedCommunication } from './instance-view.js';
import type { Offer } from './locations.js';

/**
 * `result[location][local]` is 1 where the local is live; the parts of a record are live together. Choices are not made
 * yet, so every test counts. Locals that others name (`named`) are live wherever the instance lives.
 */
export function findLiveLocals(
    view: InstanceView,
    cells: readonly Cell[],
    index: number,
    named: ReadonlySet<number>,
): Uint8Array[] {
    const { locals, locations, declaration } = view.instance;
    if (locals.length === 0) {
        return locations.map(() => new Uint8Array(0));
    }
    const declared = declaredLocals(declaration.locals);
    const sizes = new Map<number, number>();
    declared.forEach((first, local) => {
        sizes.set(first, (sizes.get(first) ?? 0) + sizeOfArray(locals[local].indices));
    });
    const layout: Locals = {
        count: locals.length,
        localOfCell: cell => {
            // Temporaries of the view are not among the cells.
            const owner = cells.at(cell);
            return owner?.kind === 'local' && owner.instance === index ? declared[owner.variable] : -1;
        },
        sizeOf: local => sizes.get(local) ?? 0,
        isArray: local => locals[local].indices.length > 0,
    };
    const live = liveLocals(
        layout,
        locations.map(offers =>
            offers.map(offer => ({ accesses: accessesOf(view, offer, declared), target: offer.target })),
        ),
    );
    const always = new Set([...named].map(local => declared[local]));
    return live.map((liveAtLocation, location) =>
        Uint8Array.from(declared, first =>
            always.has(first) && location !== view.instance.ended ? 1 : liveAtLocation[first],
        ),
    );
}

/** For each local the first one of the same declaration: the fields of a record come one after the other. */
function declaredLocals(locals: readonly Variable[]): number[] {
    const declared: number[] = [];
    const declarationOf = ({ name, nameRange: { start } }: Variable): string =>
        `${start.line}:${start.character} ${name.split('.', 1)[0]}`;
    locals.forEach((variable, local) => {
        const isPart = local > 0 && declarationOf(locals[local - 1]) === declarationOf(variable);
        declared.push(isPart ? declared[local - 1] : local);
    });
    return declared;
}

/** What an offer reads and writes, in order: the path, the guard, the communication, the body. */
function accessesOf(view: InstanceView, offer: Offer, declared: readonly number[]): Access[] {
    const accesses: Access[] = [];
    const evaluate = (expression: SequentialExpression): void => {
        accesses.push({ kind: 'evaluate', expression });
    };
    const way = view.way(offer);
    for (const { item, elements } of way.elements) {
        elements.forEach(element => {
            evaluate(element.kind === 'test' ? element.condition : element.value);
        });
        if (item.kind === 'declare') {
            accesses.push({ kind: 'assign', local: declared[item.site.local] });
        }
    }
    if (offer.step !== undefined) {
        const { guard, communication, body } = view.step(offer.step, way.chosen);
        if (guard !== undefined) {
            evaluate(guard);
        }
        if (communication !== undefined) {
            addCommunication(view, communication, evaluate, accesses);
        }
        accesses.push({ kind: 'run', body });
    }
    return accesses;
}

function addCommunication(
    view: InstanceView,
    communication: OfferedCommunication,
    evaluate: (expression: SequentialExpression) => void,
    accesses: Access[],
): void {
    if (communication.kind === 'event') {
        communication.arguments.forEach(evaluate);
        return;
    }
    communication.channel.arguments.forEach(evaluate);
    if (communication.kind === 'send') {
        communication.values.forEach(evaluate);
        return;
    }
    // The message does not matter, only that it is unknown.
    const { range } = communication;
    const unknown: SequentialExpression = { kind: 'element', cells: [], indices: [], domains: [], range };
    const message = Array.from({ length: communication.scalars }, () => unknown);
    const { tests, bindings } = view.match(communication, message);
    tests.forEach(evaluate);
    accesses.push({ kind: 'run', body: bindings });
}

/** The cells of the locals that hold no value somewhere. */
export function markAbsentLocals(view: InstanceView, live: readonly Uint8Array[], cells: Cell[]): void {
    view.instance.locals.forEach(({ first, indices }, local) => {
        if (live.every(liveAtLocation => liveAtLocation[local] === 1)) {
            return;
        }
        for (let cell = first; cell < first + sizeOfArray(indices); cell++) {
            const isCreated = view.instance.ended === undefined ? {} : ({ isCreated: true } as const);
            cells[cell] = { ...cells[cell], mayBeAbsent: true, ...isCreated };
        }
    });
}

/** The accesses of an offer to the locals, in order. `assign` writes a local whole. */
type Access =
    | { readonly kind: 'evaluate'; readonly expression: SequentialExpression }
    | { readonly kind: 'assign'; readonly local: number }
    | { readonly kind: 'run'; readonly body: readonly SequentialStatement[] };

interface LiveOffer {
    readonly accesses: readonly Access[];
    /** The location after it; -1 where control ends. */
    readonly target: number;
}

interface Locals {
    readonly count: number;
    /** The local a cell belongs to; -1 for any other cell. */
    readonly localOfCell: (cell: number) => number;
    /** The number of its cells. */
    readonly sizeOf: (local: number) => number;
    readonly isArray: (local: number) => boolean;
}

/** `result[location][local]` is 1 where the local is live. */
function liveLocals(locals: Locals, offersOfLocation: readonly (readonly LiveOffer[])[]): Uint8Array[] {
    const live = offersOfLocation.map(() => new Uint8Array(locals.count));
    for (let changed = true; changed;) {
        changed = false;
        // Against the direction of the text, since liveness flows backward.
        for (let location = offersOfLocation.length - 1; location >= 0; location--) {
            for (const offer of offersOfLocation[location]) {
                const before = offer.target < 0 ? new Uint8Array(locals.count) : live[offer.target].slice();
                for (let index = offer.accesses.length - 1; index >= 0; index--) {
                    passBackward(offer.accesses[index], before, locals);
                }
                for (let local = 0; local < locals.count; local++) {
                    if (before[local] === 1 && live[location][local] === 0) {
                        live[location][local] = 1;
                        changed = true;
                    }
                }
            }
        }
    }
    return live;
}

function passBackward(access: Access, live: Uint8Array, locals: Locals): void {
    switch (access.kind) {
        case 'evaluate':
            addReads(access.expression, live, locals);
            return;
        case 'assign':
            live[access.local] = 0;
            return;
        case 'run':
            bodyBackward(access.body, live, locals);
            return;
        default:
            unreachable(access);
    }
}

function bodyBackward(body: readonly SequentialStatement[], live: Uint8Array, locals: Locals): void {
    for (let index = body.length - 1; index >= 0; index--) {
        const statement = body[index];
        switch (statement.kind) {
            case 'assign': {
                // One assignment of the text comes as several assignments with one range.
                const last = index;
                while (index > 0 && isSameAssignment(body[index - 1], statement)) {
                    index--;
                }
                assignmentBackward(body.slice(index, last + 1), live, locals);
                break;
            }
            case 'if': {
                const otherwise = live.slice();
                bodyBackward(statement.then, live, locals);
                bodyBackward(statement.otherwise, otherwise, locals);
                for (let local = 0; local < locals.count; local++) {
                    live[local] |= otherwise[local];
                }
                addReads(statement.condition, live, locals);
                break;
            }
            case 'while':
                loopBackward(statement, live, locals);
                break;
            case 'assert':
                addReads(statement.condition, live, locals);
                break;
            case 'clear':
                break;
            default:
                unreachable(statement);
        }
    }
}

/** From the locals that are live after a loop to those before it: a least fixpoint over any number of rounds. */
function loopBackward(
    { condition, body }: Extract<SequentialStatement, { kind: 'while' }>,
    live: Uint8Array,
    locals: Locals,
): void {
    addReads(condition, live, locals);
    for (let changed = true; changed;) {
        changed = false;
        const before = live.slice();
        bodyBackward(body, before, locals);
        for (let local = 0; local < locals.count; local++) {
            if (before[local] === 1 && live[local] === 0) {
                live[local] = 1;
                changed = true;
            }
        }
    }
}

function isSameAssignment(other: SequentialStatement, { range }: { readonly range: SourceRange }): boolean {
    return other.kind === 'assign' && other.range === range;
}

/** A local is written whole if all its cells are; a write to a part, also to the only element of an array, reads. */
function assignmentBackward(statements: readonly SequentialStatement[], live: Uint8Array, locals: Locals): void {
    const written = new Map<number, Set<number>>();
    const assignments = statements.filter(statement => statement.kind === 'assign');
    for (const { target } of assignments) {
        if (target.kind === 'cell') {
            const local = locals.localOfCell(target.cell);
            if (local >= 0) {
                written.set(local, (written.get(local) ?? new Set()).add(target.cell));
            }
        }
    }
    for (const [local, cells] of written) {
        const isPart = cells.size < locals.sizeOf(local) || (cells.size === 1 && locals.isArray(local));
        live[local] = isPart ? 1 : 0;
    }
    for (const { target, value } of assignments) {
        if (target.kind === 'element') {
            markCells(target.cells, live, locals);
            target.indices.forEach(index => {
                addReads(index, live, locals);
            });
        }
        addReads(value, live, locals);
    }
}

function markCells(cells: readonly number[], live: Uint8Array, locals: Locals): void {
    for (const cell of cells) {
        const local = locals.localOfCell(cell);
        if (local >= 0) {
            live[local] = 1;
        }
    }
}

function addReads(expression: SequentialExpression, live: Uint8Array, locals: Locals): void {
    markCells(supportOf(expression), live, locals);
}
