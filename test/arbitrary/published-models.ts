/** Small published systems as typed models: the same formulations as the files in models/, without the parser. */
import type { Model } from '../../engine/model/model.js';
import { NONE } from '../../engine/model/domain.js';
import {
    all,
    any,
    assign,
    binder,
    BOOLEAN,
    choice,
    choose,
    event,
    integers,
    isAt,
    labeled,
    local,
    loop,
    model,
    names,
    not,
    op,
    optional,
    over,
    process,
    read,
    shared,
    step,
    the,
    value,
    variable,
    whileDo,
} from './model-builder.js';

/** Token circulation in a directed ring, started anywhere. */
export function tokenRing(size: number): Model {
    const agent = integers(0, size - 1);
    const bit = integers(0, 1);
    const u = binder('u', agent);
    const v = op(op(the(u), '+', 1), 'mod', size);
    const [leader, token, label] = [0, 1, 2];
    return model({
        variables: [
            variable('leader', BOOLEAN, 'any', agent),
            variable('token', bit, 'any', agent),
            variable('label', bit, 'any', agent),
        ],
        processes: [
            process('Link', {
                indices: [u],
                body: [
                    loop(
                        choose(
                            [
                                labeled(
                                    'rule1',
                                    step({
                                        when: all(
                                            not(read(shared(leader, the(u)))),
                                            read(shared(leader, v)),
                                            op(read(shared(label, the(u))), '==', read(shared(label, v))),
                                        ),
                                        do: [
                                            assign(shared(token, the(u)), 0),
                                            assign(shared(token, v), 1),
                                            assign(shared(label, v), op(1, '-', read(shared(label, v)))),
                                        ],
                                        line: 1,
                                    }),
                                ),
                            ],
                            [
                                labeled(
                                    'rule2',
                                    step({
                                        when: all(
                                            not(read(shared(leader, v))),
                                            op(read(shared(label, the(u))), '!=', read(shared(label, v))),
                                        ),
                                        do: [
                                            assign(shared(token, the(u)), 0),
                                            assign(shared(token, v), 1),
                                            assign(shared(label, v), read(shared(label, the(u)))),
                                        ],
                                        line: 2,
                                    }),
                                ),
                            ],
                        ),
                    ),
                ],
            }),
        ],
        allowsDeadlock: true,
    });
}

/** Dining philosophers with forks as processes that meet in events. */
export function diningPhilosophers(size: number): Model {
    const seat = integers(0, size - 1);
    const i = binder('i', seat);
    const f = binder('f', seat);
    const [get, put, eat] = [0, 1, 2];
    const right = op(op(the(i), '+', 1), 'mod', size);
    const left = op(op(the(f), '-', 1), 'mod', size);
    return model({
        events: [event('get', seat, seat), event('put', seat, seat), event('eat', seat)],
        processes: [
            process('Phil', {
                indices: [i],
                body: [
                    loop(
                        step({ event: [get, the(i), right], line: 1 }),
                        step({ event: [get, the(i), the(i)], line: 2 }),
                        step({ event: [eat, the(i)], line: 3 }),
                        step({ event: [put, the(i), right], line: 4 }),
                        step({ event: [put, the(i), the(i)], line: 5 }),
                    ),
                ],
            }),
            process('Fork', {
                indices: [f],
                body: [
                    loop(
                        choose(
                            [
                                step({ event: [get, the(f), the(f)], line: 6 }),
                                step({ event: [put, the(f), the(f)], line: 7 }),
                            ],
                            [
                                step({ event: [get, left, the(f)], line: 8 }),
                                step({ event: [put, left, the(f)], line: 9 }),
                            ],
                        ),
                    ),
                ],
            }),
        ],
    });
}

/** Peterson's algorithm for N processes (the filter lock). */
export function peterson(size: number): Model {
    const id = integers(1, size);
    const i = binder('i', id);
    const j = binder('j', id);
    const p = binder('p', id);
    const [flag, turn] = [0, 1];
    const k = 0;
    return model({
        variables: [
            variable('flag', integers(0, size - 1), 0, id),
            variable('turn', optional(id), NONE, integers(1, size - 1)),
        ],
        processes: [
            process('P', {
                indices: [i],
                locals: [variable('k', id, 1)],
                body: [
                    loop(
                        whileDo(
                            op(read(local(k)), '<', size),
                            labeled('setFlag', step({ do: [assign(shared(flag, the(i)), read(local(k)))], line: 1 })),
                            labeled('setTurn', step({ do: [assign(shared(turn, read(local(k))), the(i))], line: 2 })),
                            labeled(
                                'pass',
                                step({
                                    when: any(
                                        op(read(shared(turn, read(local(k)))), '!=', the(i)),
                                        over(
                                            'forall',
                                            j,
                                            op(read(shared(flag, the(j))), '<', read(local(k))),
                                            op(the(j), '!=', the(i)),
                                        ),
                                    ),
                                    do: [assign(local(k), op(read(local(k)), '+', 1))],
                                    line: 3,
                                }),
                            ),
                        ),
                        labeled('critical', step({ line: 4 })),
                        labeled('exit', step({ do: [assign(shared(flag, the(i)), 0), assign(local(k), 1)], line: 5 })),
                    ),
                ],
            }),
        ],
        invariants: { mutex: op(over('count', p, isAt(0, [the(p)], 'critical')), '<=', 1) },
    });
}

/** One binary semaphore: non-critical, trying, critical. */
export function semaphoreMutex(size: number): Model {
    const id = integers(1, size);
    const i = binder('i', id);
    const p = binder('p', id);
    return model({
        variables: [variable('taken', BOOLEAN, 0)],
        processes: [
            process('P', {
                indices: [i],
                body: [
                    loop(
                        labeled('try', step({ line: 1 })),
                        labeled('enter', step({ when: not(read(shared(0))), do: [assign(shared(0), true)], line: 2 })),
                        labeled('leave', step({ do: [assign(shared(0), false)], line: 3 })),
                    ),
                ],
            }),
        ],
        invariants: { mutex: op(over('count', p, isAt(0, [the(p)], 'leave')), '<=', 1) },
    });
}

/** Readers and writers with priorities: a reader enters if no writer is inside, a writer if nobody is. */
export function readersWriters(readers: number, writers: number): Model {
    const id = integers(0, readers + writers - 1);
    const section = names('Section', 'N', 'T', 'C');
    const [N, T, C] = [value(0), value(1), value(2)];
    const i = binder('i', id);
    const nobody = (where?: (other: ReturnType<typeof binder>) => ReturnType<typeof op>): ReturnType<typeof op> => {
        const other = binder('j', id);
        return over('forall', other, op(read(shared(0, the(other))), '!=', C), where?.(other));
    };
    const here = (state: ReturnType<typeof value>): ReturnType<typeof op> => op(read(shared(0, the(i))), '==', state);
    return model({
        variables: [variable('section', section, N, id)],
        processes: [
            process('P', {
                indices: [i],
                body: [
                    loop(
                        choose(
                            [labeled('try', step({ when: here(N), do: [assign(shared(0, the(i)), T)], line: 1 }))],
                            [labeled('leave', step({ when: here(C), do: [assign(shared(0, the(i)), N)], line: 2 }))],
                            [
                                labeled(
                                    'enter',
                                    step({
                                        when: all(here(T), nobody()),
                                        do: [assign(shared(0, the(i)), C)],
                                        line: 3,
                                    }),
                                ),
                            ],
                            [
                                labeled(
                                    'enterReader',
                                    step({
                                        when: all(
                                            op(the(i), '<', readers),
                                            here(T),
                                            nobody(other => op(the(other), '>=', readers)),
                                        ),
                                        do: [assign(shared(0, the(i)), C)],
                                        line: 4,
                                    }),
                                ),
                            ],
                        ),
                    ),
                ],
            }),
        ],
    });
}

/** Towers of Hanoi: disc 0 is the smallest; `peg[d]` is where disc d lies. */
export function hanoi(discs: number): Model {
    const disc = integers(0, discs - 1);
    const peg = integers(0, 2);
    const d = binder('d', disc);
    const target = binder('target', peg);
    const smaller = binder('s', disc);
    const on = (which: Parameters<typeof the>[0]): ReturnType<typeof read> => read(shared(0, the(which)));
    return model({
        variables: [variable('peg', peg, 0, disc)],
        processes: [
            process('Move', {
                indices: [d, target],
                body: [
                    loop(
                        labeled(
                            'move',
                            step({
                                when: all(
                                    op(on(d), '!=', the(target)),
                                    over(
                                        'forall',
                                        smaller,
                                        all(op(on(smaller), '!=', on(d)), op(on(smaller), '!=', the(target))),
                                        op(the(smaller), '<', the(d)),
                                    ),
                                ),
                                do: [assign(shared(0, the(d)), choice(true, the(target), 0))],
                                line: 1,
                            }),
                        ),
                    ),
                ],
            }),
        ],
    });
}
