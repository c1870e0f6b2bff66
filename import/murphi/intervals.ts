/** Numbers that an expression can have, from those of its operands. */

export interface Interval {
    readonly low: number;
    readonly high: number;
}

/** What no shift gives less than, or more than, without an overflow. */
const WIDTH = 53;

export function interval(low = -Infinity, high = Infinity): Interval {
    return { low, high };
}

export function hull(one: Interval, other: Interval): Interval {
    return interval(Math.min(one.low, other.low), Math.max(one.high, other.high));
}

/** The operators have the meaning that C gives them; a division by zero has no result. */
export function arithmetic(operator: string, left: Interval, right: Interval): Interval {
    switch (operator) {
        case '+':
            return interval(left.low + right.low, left.high + right.high);
        case '-':
            return interval(left.low - right.high, left.high - right.low);
        case '*':
            return ofCorners(left, right, (one, other) => (one === 0 || other === 0 ? 0 : one * other));
        case '/': {
            const magnitude = Math.max(Math.abs(left.low), Math.abs(left.high));
            return left.low >= 0 && right.low >= 0 ? interval(0, left.high) : interval(-magnitude, magnitude);
        }
        case '%': {
            const most = Math.max(Math.abs(right.low), Math.abs(right.high)) - 1;
            return interval(left.low >= 0 ? 0 : -most, left.high <= 0 ? 0 : most);
        }
        case '<<':
            return right.low >= 0 && right.high <= WIDTH
                ? ofCorners(left, right, (number, count) => number * 2 ** count)
                : interval();
        case '>>':
            return right.low >= 0 ? interval(Math.min(left.low, 0), Math.max(left.high, 0)) : interval();
        case '&':
        case '|':
        case '^':
            return left.low >= 0 && right.low >= 0
                ? interval(
                      0,
                      operator === '&' ? Math.min(left.high, right.high) : allBits(Math.max(left.high, right.high)),
                  )
                : interval();
        default:
            return interval();
    }
}

function ofCorners(left: Interval, right: Interval, operation: (one: number, other: number) => number): Interval {
    const corners = [left.low, left.high].flatMap(one => [operation(one, right.low), operation(one, right.high)]);
    return interval(Math.min(...corners), Math.max(...corners));
}

/** The least number with only ones that has the bits of all numbers up to this one. */
function allBits(high: number): number {
    return high === Infinity ? Infinity : 2 ** Math.ceil(Math.log2(high + 1)) - 1;
}
