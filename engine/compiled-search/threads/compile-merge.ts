/**
 * Puts the new states of a block that a thread has expanded in order, once all threads agree on what is new:
 *
 *     merge(heads, lists, first, base, most, events) → end of the events
 *
 * It runs in the main memory. Each list of claims has a head there; the lists are sorted by sequence, and the last one has
 * the entries without a successor. New states and events are therefore met in the order of a search by one thread.
 */
import { call, FunctionBody, type Int, load32, type WasmVariable } from '../../webassembly/function-body.js';
import { EVENT, ORIGIN, SENT, SEQUENCE, type MemoryMap } from '../memory-map.js';
import { bitInByte, byteAddress, copyWords, stateAddress, storeSummand, writeEvent } from '../slot-code.js';

/** Of a list: the address of its next claim, and its end. */
export const HEAD = { next: 0, end: 4, bytes: 8 } as const;

/**
 * The block has the states from `first` on. New states are stored from number `base` on, at most `most`. Events count
 * states from both, and firings from the start of the block. `invariants` is a function (address of a state) → 1 if all
 * hold, or undefined.
 */
export function mergeFunction(map: MemoryMap, invariants: number | undefined): FunctionBody {
    const { longCount, entryBytes } = map;
    const tail = 8 * longCount;
    const f = new FunctionBody(['i32', 'i32', 'i32', 'i32', 'i32', 'i32']);
    const [heads, lists, first, base, most, events] = [0, 1, 2, 3, 4, 5].map(index => f.parameter(index));
    const headsEnd = f.variable(heads.plus(lists.times(HEAD.bytes)));
    const count = f.variable(0);
    f.forever((done, again) => {
        const claim = f.local('i32');
        const sequence = f.local('i32');
        const head = nextHead(f, heads, headsEnd, claim, sequence, tail);
        f.branchUnless(head, done);
        f.store32(head, HEAD.next, claim.plus(entryBytes));
        const transitions = f.variable(sequence.and(2 ** SEQUENCE.blockShift - 1).shiftedRight(SEQUENCE.countShift));
        const origin = load32(claim, tail + SENT.origin);
        const tell = (kind: number, subject: Int, state: Int): void => {
            writeEvent(f, kind, { subject, state, stored: count, transitions }, events);
        };
        f.if(head.plus(HEAD.bytes).is(headsEnd), () => {
            f.if(
                sequence.and(SEQUENCE.stuck),
                () => {
                    tell(EVENT.stuck, origin, origin);
                },
                () => {
                    tell(EVENT.fault, load32(claim, tail + SENT.hash), origin);
                },
            );
            f.branch(again);
        });
        const number = f.variable<'i32'>(count);
        f.if(count.is(most), () => {
            tell(EVENT.limit, number, number);
            f.branch(done);
        });
        const index = f.variable(base.plus(count));
        const address = f.variable(stateAddress(map, index));
        copyWords(f, longCount, claim, address);
        storeSummand(f, map, index, origin.shiftedRight(ORIGIN.summandShift));
        const parent = origin.and(2 ** ORIGIN.summandShift - 1).plus(first);
        const bit = f.variable(parent.plus(index));
        // Other threads may set bits of the same byte.
        f.atomicOr8(byteAddress(map.parents, bit), bitInByte(bit));
        count.add(1);
        if (invariants !== undefined) {
            f.branchIf(call(invariants, address), again);
            tell(EVENT.violated, number, number);
        }
    });
    f.result(events);
    return f;
}

/** The head of the claim with the least sequence, 0 if there is none; sets `claim` and `sequence`. */
function nextHead(
    f: FunctionBody,
    heads: Int,
    headsEnd: Int,
    claim: WasmVariable<'i32'>,
    sequence: WasmVariable<'i32'>,
    tail: number,
): Int {
    const next = f.variable(0);
    sequence.set(-1);
    const head = f.variable(heads);
    f.doWhile(() => {
        f.block(later => {
            const candidate = f.variable(load32(head, HEAD.next));
            f.branchIf(candidate.is(load32(head, HEAD.end)), later);
            f.branchIf(load32(candidate, tail + SENT.sequence).isAtLeastUnsigned(sequence), later);
            claim.set(candidate);
            sequence.set(load32(claim, tail + SENT.sequence));
            next.set(head);
        });
        head.add(HEAD.bytes);
    }, head.isNot(headsEnd));
    return next;
}
