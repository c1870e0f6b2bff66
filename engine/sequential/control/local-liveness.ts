/** Where the locals of an instance hold a value: live-variable analysis (liveness.ts) on the offers of the instance. */
import type { Variable } from '../../model/model.js';
import { sizeOfArray } from '../cell-layout.js';
import type { InstanceView, OfferedCommunication } from './instance-view.js';
import { liveLocals } from '../liveness.js';
import type { Access, Locals } from '../liveness.js';
import type { Offer } from './locations.js';
import type { Cell, SequentialExpression } from '../sequential-model.js';

/**
 * `result[location][local]` is 1 where the local is live. The parts of a record, which are locals of their own here, are
 * live together. Choices are not made yet: a test is looked at whatever value it would be decided by. The view need not
 * know what `at` means: what a test before a label reads is evaluated only at the
 * location that has the test, where it is live anyway. What properties name (`named`) is live everywhere.
 */
export function findLiveLocals(
    view: InstanceView,
    cells: readonly Cell[],
    index: number,
    named: ReadonlySet<number>,
): Uint8Array[] {
    const { locals, locations, declaration } = view.instance;
    if (locals.length === 0) {
        return locations.locations.map(() => new Uint8Array(0));
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
        locations.locations.map(location =>
            location.offers.map(offer => ({ accesses: accessesOf(view, offer, declared), target: offer.target })),
        ),
    );
    const always = new Set([...named].map(local => declared[local]));
    return live.map(liveAtLocation =>
        Uint8Array.from(declared, first => (always.has(first) ? 1 : liveAtLocation[first])),
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
    // It does not matter what the message is, only that it is not known.
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
            cells[cell] = { ...cells[cell], mayBeAbsent: true };
        }
    });
}
