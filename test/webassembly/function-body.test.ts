/** Functions of small modules do what their statements say. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import type { ValueType } from '../../engine/webassembly/binary-format.js';
import {
    call,
    f64,
    FunctionBody,
    i32,
    i64,
    type Int,
    load32,
    load64,
    load8,
    select,
} from '../../engine/webassembly/function-body.js';
import { webAssembly } from '../../engine/webassembly/host.js';
import { IMPORT_MODULE, MEMORY_NAME, ModuleWriter } from '../../engine/webassembly/module-writer.js';

const host = webAssembly();
invariant(host !== undefined, 'tests run where there is WebAssembly');

/** A function of i32 parameters that returns an i32. */
function compiled(
    parameterCount: number,
    write: (f: FunctionBody, parameters: readonly Int[], module: ModuleWriter) => void,
): (...values: number[]) => number {
    const module = new ModuleWriter();
    const f = new FunctionBody(Array<ValueType>(parameterCount).fill('i32'));
    write(
        f,
        Array.from({ length: parameterCount }, (_, index) => f.parameter(index)),
        module,
    );
    module.export('run', module.add(f, 'i32'));
    const memory = new host!.Memory({ initial: 1, maximum: 1, shared: false });
    const { exports } = new host!.Instance(new host!.Module(module.toBytes(1, false)), {
        [IMPORT_MODULE]: { [MEMORY_NAME]: memory },
    });
    return exports['run'] as (...values: number[]) => number;
}

test('a variable keeps a value, an expression follows its parts', () => {
    const run = compiled(1, f => {
        const x = f.parameter(0);
        const next = x.plus(1);
        const kept = f.variable(next);
        x.set(100);
        f.result(next.times(1000).plus(kept));
    });
    expect(run(5)).toBe(101_006);
});

test('a variable that is set and used at once is not loaded again, also at a mark', () => {
    const run = compiled(0, f => {
        const x = f.variable(3);
        const mark = f.mark();
        f.drop(x);
        f.rollback(mark);
        f.result(x.plus(4));
    });
    expect(run()).toBe(7);
});

test('loops: greatest common divisor', () => {
    const run = compiled(2, (f, [a, b]) => {
        const [x, y] = [f.variable(a!), f.variable(b!)];
        f.while(y.isNot(0), () => {
            const rest = f.variable(x.remainder(y));
            x.set(y);
            y.set(rest);
        });
        f.result(x);
    });
    expect(run(84, 36)).toBe(12);
    expect(run(7, 0)).toBe(7);
});

test('a loop with its test at the end runs once at least; forever runs until a branch', () => {
    const atLeastOnce = compiled(1, (f, [n]) => {
        const count = f.variable(0);
        f.doWhile(() => {
            count.add(1);
        }, count.isLess(n!));
        f.result(count);
    });
    expect([0, 1, 5].map(n => atLeastOnce(n))).toEqual([1, 1, 5]);
    const oddSum = compiled(1, (f, [n]) => {
        const [i, sum] = [f.variable(0), f.variable(0)];
        f.forever((done, again) => {
            f.branchIf(i.is(n!), done);
            i.add(1);
            f.branchUnless(i.and(1), again);
            sum.add(i);
        });
        f.result(sum);
    });
    expect(oddSum(6)).toBe(1 + 3 + 5);
});

test('branches on the opposite of a condition', () => {
    const conditions: readonly ((x: Int) => Int)[] = [
        x => x,
        x => x.isZero(),
        x => x.isLess(2),
        x => x.isAtMost(2),
        x => x.isGreaterUnsigned(2),
        x => x.isAtLeastUnsigned(2),
        x => x.toLong().is(2n),
        x => x.toLong().isZero(),
        x => x.converted('f64', 'f64_convert_i32_s').isLess(2),
    ];
    for (const condition of conditions) {
        const [when, unless] = [true, false].map(isWhen =>
            compiled(1, (f, [x]) => {
                f.block(label => {
                    if (isWhen) {
                        f.branchIf(condition(x!), label);
                    } else {
                        f.branchUnless(condition(x!), label);
                    }
                    f.return(0);
                });
                f.result(1);
            }),
        );
        for (const x of [-1, 0, 1, 2, 3]) {
            expect(when!(x) + unless!(x)).toBe(1);
        }
    }
});

test('a switch runs the arm of an index, and nothing or one arm for other indexes', () => {
    const run = (otherwise?: number): ((x: number) => number) =>
        compiled(1, (f, [x]) => {
            const result = f.variable(-1);
            const arms = [10, 20].map(value => (): void => {
                result.set(value);
            });
            f.switch(x!, [1, undefined, 0, 1], arms, otherwise);
            f.result(result);
        });
    expect([0, 1, 2, 3, 4].map(run())).toEqual([20, -1, 10, 20, -1]);
    expect([0, 1, 2, 3, 4].map(run(0))).toEqual([20, -1, 10, 20, 10]);
});

test('computed values run their statements where they are used, with variables of their own', () => {
    const run = compiled(1, (f, [x]) => {
        const square = (value: Int): Int =>
            f.compute('i32', () => {
                const known = f.variable(value);
                return known.times(known);
            });
        const early = f.computeUntil('i32', leaveIf => {
            leaveIf(x!.is(3), -100);
            return 0;
        });
        f.result(
            square(x!)
                .plus(square(square(x!)))
                .plus(early),
        );
    });
    expect(run(2)).toBe(4 + 16);
    expect(run(3)).toBe(9 + 81 - 100);
});

test('long words, doubles and memory', () => {
    const run = compiled(1, (f, [x]) => {
        f.store64(8, 0, x!.toLong().or(0x1_0000_0000n).xor(1n));
        f.store8(16, 0, 300);
        f.setElement(32, x!, 7);
        const large = f64(2 ** 31)
            .times(2)
            .isGreater(f64(2 ** 31));
        const parts = [
            load32(8),
            load64(8).shiftedRight(32n).toInt().times(10),
            load8(16).times(100),
            load32(32 + 8).times(10_000),
            select(large, i32(100_000), 0),
            i64(-1n).rotatedLeft(3n).is(-1n).times(1_000_000),
        ];
        f.result(parts.reduce((sum, part) => sum.plus(part)));
    });
    expect(run(2)).toBe(3 + 10 + 4400 + 70_000 + 100_000 + 1_000_000);
});

test('functions call each other before they are defined', () => {
    const run = compiled(1, (f, [n], module) => {
        const isEven = module.announce(['i32'], ['i32']);
        const isOdd = module.announce(['i32'], ['i32']);
        for (const [own, other, atZero] of [
            [isEven, isOdd, 1],
            [isOdd, isEven, 0],
        ] as const) {
            const body = new FunctionBody(['i32']);
            const x = body.parameter(0);
            body.if(x.isZero(), () => {
                body.return(atZero);
            });
            body.result(call(other, x.minus(1)));
            module.define(own, body);
        }
        f.result(call(isEven, n!));
    });
    expect([0, 1, 10, 11].map(n => run(n))).toEqual([1, 0, 1, 0]);
});
