/**
 * Ties in generated code: elements of a class that refinement does not tell apart, such as handlers that call a function
 * each. Exchanging two of them changes the state, but not if their functions are exchanged as well. An exchange that leaves
 * the state as it is lies in the group, as all permutations within families do, so it proves that either may come first.
 *
 * The trials are those of representative/state-facts.ts. Elements are passed as offsets in arrays of 32-bit numbers.
 */
import type { StaticData } from '../codegen/static-data.js';
import {
    call,
    elementAt,
    FunctionBody,
    type Int,
    type Label,
    load32,
    load64,
    select,
    type WasmVariable,
} from '../webassembly/function-body.js';
import type { ModuleWriter } from '../webassembly/module-writer.js';
import { MAXIMAL_ARITY } from '../group/symmetric-action.js';
import { eachElement, eachFact, RECORD, type ClassArrays, type Facts } from './compile-refinement.js';

/** Where the image of the state is made, and from what. */
export interface ImageArrays {
    /** By position: the element there. By element: its position. */
    readonly order: number;
    readonly position: number;
    /** A function that writes the image under this order to an address. */
    readonly image: number;
    readonly longCount: number;
}

/** An element in a fact: the record, its role times four, and the next mention of the element, or 0. */
const MENTION = { record: 0, role: 4, next: 8, bytes: 12 } as const;

/** Addresses. */
interface Trial {
    /** By element: the address of its first mention, or 0. */
    readonly firstMention: number;
    readonly mentions: number;
    /** By element: with what it is exchanged; itself if with nothing. */
    readonly exchanged: number;
    /** The elements that are exchanged, each beside the other. */
    readonly met: number;
    readonly image: number;
}

/** The results of the function that settles ties. */
export const SETTLED = {
    /** Whatever comes first in a class, the image is the one that was given. */
    asItWas: 0,
    /** The choice within a class may matter. */
    not: 1,
    /** The order has been refined by what was put first: an image under it is still to be made. */
    byRefinement: 2,
} as const;

/** The bytes of two elements. */
const PAIR_BYTES = 8;
/** Beside the bytes of all that was exchanged: some of it was of the class that is settled. */
const WITHIN_CLASS = 1;

/**
 * A function of the address of the image: with the facts listed and the classes refined by them, it goes on until each class
 * has one element, or until the choice within a class may matter. It returns a number of SETTLED; `refine` refines.
 */
export function settleFunction(
    facts: Facts,
    refine: number,
    classes: ClassArrays,
    arrays: ImageArrays,
    data: StaticData,
    module: ModuleWriter,
): FunctionBody {
    const { elementCount } = facts;
    const { order, classStart, classEnd } = classes;
    const trial: Trial = {
        firstMention: data.space(4 * elementCount),
        mentions: data.space(MENTION.bytes * MAXIMAL_ARITY * facts.cellCount),
        exchanged: data.space(4 * elementCount),
        met: data.space(4 * elementCount),
        image: data.space(8 * arrays.longCount),
    };
    const prepare = module.add(prepareFunction(facts, trial));
    const isMatched = module.add(isMatchedFunction(trial), 'i32');
    const areAlike = module.add(areAlikeFunction(isMatched, trial, classes, arrays), 'i32');
    const f = new FunctionBody(['i32']);
    const isPrepared = f.variable(0);
    const settled = f.variable(SETTLED.asItWas);
    const start = f.variable(0);
    // What is left of a class before this place is known to be alike: its exchanges leave the first elements alone.
    const knownEnd = f.variable(0);
    f.doWhile(() => {
        const end = f.variable(elementAt(classEnd, start));
        f.if(end.minus(start).isGreaterUnsigned(1), () => {
            const exchangedBytes = f.variable(0);
            f.if(start.isAtLeastUnsigned(knownEnd), () => {
                f.if(isPrepared.isZero(), () => {
                    f.run(prepare);
                    isPrepared.set(1);
                });
                eachBehind(end, place => {
                    const offsets = [0, 4].map(after => load32(place.shiftedLeft(2), order - 4 + after).shiftedLeft(2));
                    const bytes = f.variable(call(areAlike, ...offsets, f.parameter(0)));
                    f.if(bytes.isZero(), () => {
                        f.return(SETTLED.not);
                    });
                    exchangedBytes.set(exchangedBytes.or(bytes));
                });
                f.if(exchangedBytes.and(WITHIN_CLASS).isZero(), () => {
                    knownEnd.set(end);
                });
            });
            f.setElement(classEnd, start, start.plus(1));
            f.if(
                exchangedBytes.is(PAIR_BYTES),
                () => {
                    separate(end);
                },
                () => {
                    putFirst(end);
                },
            );
        });
        start.add(1);
    }, start.isLessUnsigned(elementCount));
    f.result(settled);
    return f;

    /** Twins are related in the same way to all others, so that they stand apart splits no other class. */
    function separate(end: Int): void {
        eachBehind(end, place => {
            f.setElement(classStart, elementAt(order, place), place);
            f.setElement(classEnd, place, place.plus(1));
        });
    }

    function putFirst(end: Int): void {
        const rest = f.variable(start.plus(1));
        f.setElement(classEnd, rest, end);
        eachBehind(end, place => {
            f.setElement(classStart, elementAt(order, place), rest);
        });
        f.run(refine);
        settled.set(SETTLED.byRefinement);
    }

    /** Runs for the places of a class behind its first. */
    function eachBehind(end: Int, work: (place: Int) => void): void {
        const place = f.variable(start.plus(1));
        f.doWhile(() => {
            work(place);
            place.add(1);
        }, place.isLessUnsigned(end));
    }
}

/** A function that lists the mentions of each element, and exchanges nothing. */
function prepareFunction(facts: Facts, { firstMention, mentions, exchanged }: Trial): FunctionBody {
    const f = new FunctionBody();
    const element = f.variable(0);
    f.doWhile(
        () => {
            f.store32(element, firstMention, 0);
            f.store32(element, exchanged, element);
            element.add(4);
        },
        element.isLessUnsigned(4 * facts.elementCount),
    );
    const mention = f.variable(mentions);
    eachFact(f, facts, record => {
        eachElement(f, record, (offset, at) => {
            const mentioned = f.variable(offset);
            f.store32(mention, MENTION.record, record);
            f.store32(mention, MENTION.role, at.minus(record));
            f.store32(mention, MENTION.next, load32(mentioned, firstMention));
            f.store32(mentioned, firstMention, mention);
            mention.add(MENTION.bytes);
        });
    });
    return f;
}

/** Goes through the mentions of an element until `work` branches to `done`. */
function eachMention(
    f: FunctionBody,
    element: Int,
    { firstMention }: Trial,
    work: (mention: WasmVariable<'i32'>, done: Label) => void,
): void {
    const mention = f.variable(load32(element, firstMention));
    f.while(mention, done => {
        work(mention, done);
        mention.set(load32(mention, MENTION.next));
    });
}

/** Whether two mentions are in the same role of facts with the same meaning. */
function areInOneRole(mention: Int, other: Int): Int {
    const [record, otherRecord] = [mention, other].map(each => load32(each, MENTION.record));
    const isInRole = load32(mention, MENTION.role).is(load32(other, MENTION.role));
    return load32(record, RECORD.meaning)
        .is(load32(otherRecord, RECORD.meaning))
        .and(isInRole.or(load32(record, RECORD.isUnordered)));
}

/** Runs for each role of two facts with the same meaning, beginning with those of the mentions. */
function eachPair(f: FunctionBody, mention: Int, other: Int, work: (element: Int, beside: Int) => void): void {
    const end = f.variable(load32(load32(mention, MENTION.record), RECORD.end));
    const passed = f.variable(0);
    const inRole = (each: Int): Int => {
        const role = f.variable(load32(each, MENTION.role).plus(passed));
        const wrapped = select(role.isLessUnsigned(end), role, role.minus(end));
        return load32(load32(each, MENTION.record).plus(wrapped), RECORD.elements);
    };
    f.doWhile(() => {
        const element = f.variable(inRole(mention));
        const beside = f.variable(inRole(other));
        work(element, beside);
        passed.add(4);
    }, passed.isLessUnsigned(end));
}

/** A function of a mention and an element: whether a fact about the element is the image of that of the mention. */
function isMatchedFunction(trial: Trial): FunctionBody {
    const f = new FunctionBody(['i32', 'i32']);
    const mention = f.parameter(0);
    eachMention(f, f.parameter(1), trial, other => {
        f.if(areInOneRole(mention, other), () => {
            f.block(differs => {
                eachPair(f, mention, other, (element, beside) => {
                    f.branchIf(load32(element, trial.exchanged).isNot(beside), differs);
                });
                f.return(1);
            });
        });
    });
    f.result(0);
    return f;
}

/**
 * A function of two elements of a class and the address of the image: 0, or the bytes of all that had to be exchanged, with
 * WITHIN_CLASS.
 */
function areAlikeFunction(
    isMatched: number,
    trial: Trial,
    { classStart }: ClassArrays,
    { order, position, image, longCount }: ImageArrays,
): FunctionBody {
    const { exchanged, met } = trial;
    const f = new FunctionBody(['i32', 'i32', 'i32']);
    const [first, second, expected] = [0, 1, 2].map(index => f.parameter(index));
    const end = f.variable(met);
    const result = f.variable(0);
    const settled = f.variable(load32(first, classStart));
    const isWithin = f.variable(0);
    f.block(changes => {
        exchange(first, second);
        const next = f.variable(met);
        f.doWhile(() => {
            first.set(load32(next));
            second.set(load32(next, 4));
            next.add(PAIR_BYTES);
            exchangeRelated(changes);
        }, next.isNot(end));
        f.run(image, trial.image);
        for (let word = 0; word < longCount; word++) {
            f.branchIf(load64(0, trial.image + 8 * word).isNot(load64(expected, 8 * word)), changes);
        }
        result.set(end.minus(met).or(isWithin));
    });
    takeBack();
    f.result(result);
    return f;

    /** Exchanges elements until each fact about `first` has its image; to `fails` if one has no fact to be paired with. */
    function exchangeRelated(fails: Label): void {
        eachMention(f, first, trial, mention => {
            f.if(call(isMatched, mention, second).isZero(), () => {
                f.block(isPaired => {
                    eachMention(f, second, trial, other => {
                        f.block(misfits => {
                            f.branchUnless(areInOneRole(mention, other), misfits);
                            eachPair(f, mention, other, (element, beside) => {
                                const isExchanged = load32(element, exchanged).is(beside);
                                f.branchUnless(isExchanged.or(mayBeExchanged(element, beside)), misfits);
                            });
                            f.branchIf(call(isMatched, other, first), misfits);
                            eachPair(f, mention, other, (element, beside) => {
                                f.if(element.isNot(beside).and(mayBeExchanged(element, beside)), () => {
                                    exchange(element, beside);
                                    isWithin.set(isWithin.or(load32(element, classStart).is(settled)));
                                });
                            });
                            f.branch(isPaired);
                        });
                    });
                    f.branch(fails);
                });
            });
        });
    }

    function mayBeExchanged(element: Int, beside: Int): Int {
        return load32(element, exchanged)
            .is(element)
            .and(load32(beside, exchanged).is(beside))
            .and(load32(element, classStart).is(load32(beside, classStart)));
    }

    function exchange(element: Int, beside: Int): void {
        f.store32(element, exchanged, beside);
        f.store32(beside, exchanged, element);
        f.store32(end, 0, element);
        f.store32(end, 4, beside);
        end.add(PAIR_BYTES);
        swapPlaces(element, beside);
    }

    function takeBack(): void {
        f.doWhile(() => {
            end.add(-PAIR_BYTES);
            const element = f.variable(load32(end));
            const beside = f.variable(load32(end, 4));
            f.store32(element, exchanged, element);
            f.store32(beside, exchanged, beside);
            swapPlaces(element, beside);
        }, end.isNot(met));
    }

    function swapPlaces(element: Int, beside: Int): void {
        const place = f.variable(load32(element, position));
        const placeBeside = f.variable(load32(beside, position));
        f.setElement(order, place, beside.shiftedRight(2));
        f.setElement(order, placeBeside, element.shiftedRight(2));
        f.store32(element, position, placeBeside);
        f.store32(beside, position, place);
    }
}
