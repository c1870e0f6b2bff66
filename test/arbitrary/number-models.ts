/**
 * Random models with numbers without end, as texts: in variables, arrays, messages, records, cases, sequences and locals, with
 * several sums. number-texts.ts writes their expressions and statements.
 */
import { createRandom } from '../../engine/common/random.js';
import { NumberTexts, type Places } from './number-texts.js';

export interface Draw {
    below(limit: number): number;
    oneOf<Value>(values: readonly Value[]): Value;
    chance(share: number): boolean;
}

export function drawFrom(seed: number): Draw {
    const random = createRandom(seed);
    return {
        below: limit => random.below(limit),
        oneOf: values => values[random.below(values.length)]!,
        chance: share => random.below(1000) < 1000 * share,
    };
}

/** What two processes say to each other: by its kind its type, what is sent, and the pattern that receives it. */
type Message = 'number' | 'record' | 'case';

/** The model of a seed. */
export function numberModel(seed: number): string {
    const draw = drawFrom(seed);
    const kind = draw.below(100);
    return kind < 6 ? numbersInStep(draw) : kind < 12 ? numbersOfPairs(draw) : numbersOfProcesses(draw);
}

function numbersOfProcesses(draw: Draw): string {
    const isSmall = draw.chance(0.65);
    const isFamily = draw.chance(0.55);
    const members = isFamily && draw.chance(isSmall ? 0.16 : 0.06) ? 3 : 2;
    const withArray = isFamily || draw.chance(0.3);
    const withSecondArray = withArray && draw.chance(0.2);
    const isJoint = draw.chance(0.2);
    const withChannel = !isJoint && draw.chance(0.35);
    const message = draw.oneOf<Message>(['number', 'number', 'record', 'case']);
    const withRecord = draw.chance(0.25) || (withChannel && message === 'record');
    const withRecords = withRecord && withArray && draw.chance(0.4);
    const withOptional = draw.chance(0.25);
    const withSequence = draw.chance(0.12);
    const withCases = draw.chance(0.15) || (withChannel && message === 'case');
    const withFunctions = draw.chance(0.15);
    const withIndex = withArray && draw.chance(0.15);
    const withConstant = draw.chance(0.15);
    const composite = [...(withSequence ? ['q' as const] : []), ...(withCases ? ['e' as const] : [])];
    const shared = ['x', 'y', 'z'].slice(0, 1 + draw.below(3));
    const first = draw.chance(0.2) ? draw.below(6) : draw.chance(0.08) ? 8 + draw.below(30) : 0;
    const capacity = draw.chance(0.45) ? 0 : 1;
    const arrays = [...(withArray ? ['a'] : []), ...(withSecondArray ? ['b'] : [])];
    const declarations = [
        `type I = 1 .. ${members}`,
        ...(withConstant ? [`${draw.chance(0.5) ? 'const C' : 'param C: 0 .. 9'} = ${1 + draw.below(4)}`] : []),
        ...shared.map((name, index) => `var ${name}: nat = ${index === 0 ? first : 0}`),
        ...arrays.map(
            name => `var ${name}: nat[I] = ${draw.chance(0.08) ? `[j in I: ${1 + draw.below(4)} * j]` : '0'}`,
        ),
        ...(withRecord ? ['record R = { n: nat, f: bool }', 'var r: R = R(0, false)'] : []),
        ...(withRecords ? ['var s: R[I] = R(0, false)'] : []),
        ...(withOptional ? ['var o: nat? = none'] : []),
        ...(withCases ? ['enum M = { nil, ask(n: nat) }', 'var e: M = nil'] : []),
        ...(withChannel ? [`channel c: ${capacity} of ${{ number: 'nat', record: 'R', case: 'M' }[message]}`] : []),
        ...(isJoint ? ['event meet'] : []),
        ...(withSequence ? ['var q: seq 2 of nat = []'] : []),
        ...(withIndex ? ['var here: I = 1'] : []),
        ...(shared.length > 1 && draw.chance(0.12) ? [`constraint y <= x + ${draw.below(4)}`] : []),
        'var f: bool = false',
        ...(withFunctions ? FUNCTIONS : []),
    ];
    const moduli = draw.oneOf([[2], [3], [2, 3], [2, 4], [2]]);
    const told = draw.chance(0.1) ? 8 : 4;
    const elements = (name: string): readonly string[] => (isFamily ? [`${name}[i]`] : [`${name}[1]`, `${name}[2]`]);
    const places = (own: readonly string[]): Places => {
        const numbers = [
            ...shared,
            ...arrays.flatMap(elements),
            ...(withRecord ? ['r.n'] : []),
            ...(withRecords ? elements('s').map(name => `${name}.n`) : []),
            ...(withIndex ? ['a[here]'] : []),
            ...own,
        ];
        return {
            numbers,
            written: numbers,
            optional: withOptional ? ['o'] : [],
            composite,
            flags: ['f', ...(withRecord ? ['r.f'] : [])],
            arrays,
            records: [...(withRecord ? ['r'] : []), ...(withRecords ? elements('s') : [])],
            constant: withConstant ? 'C' : undefined,
            withFunctions,
            index: withIndex ? 'here' : undefined,
        };
    };
    const text = new NumberTexts(draw, moduli, told, isSmall);
    /** What one takes part in a joint step with: nobody else writes what it reads. */
    const apart = (numbers: readonly string[], written: readonly string[]): Places => ({
        numbers: [...numbers, ...written],
        written,
        optional: [],
        composite: [],
        flags: [],
        arrays: [],
        records: [],
        constant: withConstant ? 'C' : undefined,
        withFunctions,
        index: undefined,
    });
    const local = isFamily || isJoint || draw.chance(0.5) ? ['m'] : [];
    const ofFirst = apart(shared.slice(0, 1), [...local, ...(isFamily ? ['a[i]'] : [])]);
    const ofSecond = apart(shared.slice(0, 1), ['k', ...shared.slice(1)]);
    const isHandToHand = isJoint || (withChannel && capacity === 0);
    const write = text.message(message);
    const processes = [
        process(draw, text, {
            name: isFamily ? 'P[i: I]' : 'P',
            places: places(local),
            isSmall,
            steps: [
                ...(isJoint ? [`meet { ${text.body(ofFirst)} }`] : []),
                ...(withChannel
                    ? [
                          `snd: ${draw.chance(0.5) ? `when ${text.test(places(local), 0)} ` : ''}c ! ${write.sent(places(local))}${
                              ofFirst.written.length > 0 && draw.chance(0.6)
                                  ? ` { ${text.body(isHandToHand ? ofFirst : places(local))} }`
                                  : ''
                          }`,
                      ]
                    : []),
            ],
        }),
    ];
    if (withChannel || isJoint || draw.chance(0.35)) {
        const all = places(['k']);
        const others = all.numbers.filter(name => !name.includes('[i]'));
        const own: Places = {
            ...all,
            numbers: others,
            written: others,
            records: all.records.filter(name => !name.includes('[i]')),
        };
        const inStep = isHandToHand ? ofSecond : own;
        processes.push(
            process(draw, text, {
                name: 'Q',
                places: own,
                isSmall,
                steps: [
                    ...(isJoint ? [`meet { ${text.body(inStep)} }`] : []),
                    ...(withChannel
                        ? [
                              `rcv: ${draw.chance(0.2) ? `when ${text.test(own, 0)} ` : ''}c ? ${write.received(inStep)}${
                                  draw.chance(0.5) ? ` { ${text.body(inStep)} }` : ''
                              }`,
                          ]
                        : []),
                ],
            }),
        );
    }
    return [
        'model Random',
        ...declarations,
        ...processes,
        `invariant holds = ${invariant(draw, text, { shared, withArray, withLocal: isFamily, global: places([]), isFamily })}`,
        ...(draw.chance(0.8) ? ['allow deadlock'] : []),
        '',
    ].join('\n');
}

const FUNCTIONS: readonly string[] = [
    'function far(p: nat, q: nat): nat = max(p + 1, q)',
    'function near(p: nat, q: nat): bool = p <= q + 1 && q <= p + 1',
    'function above(p: nat, q: nat): nat { var l: nat = p; if l < q { l := q + 1 } return l }',
];

interface OfInvariant {
    readonly shared: readonly string[];
    readonly withArray: boolean;
    readonly withLocal: boolean;
    readonly global: Places;
    readonly isFamily: boolean;
}

function invariant(
    draw: Draw,
    text: NumberTexts,
    { shared, withArray, withLocal, global, isFamily }: OfInvariant,
): string {
    const pair = (numbers: readonly string[]): string =>
        `forall p, v in I where p != v: !(${text.test({ ...NOTHING, numbers: [...numbers, ...shared], flags: ['f'] }, 1)})`;
    if (withLocal && draw.chance(0.15)) {
        return pair(['P[p].m', 'P[v].m']);
    }
    if (withArray && draw.chance(0.5)) {
        return pair(['a[p]', 'a[v]']);
    }
    const numbers = isFamily
        ? global.numbers.flatMap(name =>
              name.includes('[i]') ? ['[1]', '[2]'].map(at => name.replace('[i]', at)) : [name],
          )
        : global.numbers;
    return `!(${text.test({ ...global, numbers, written: [], records: global.records.includes('r') ? ['r'] : [] }, 1)})`;
}

const NOTHING: Places = {
    numbers: [],
    written: [],
    optional: [],
    composite: [],
    flags: [],
    arrays: [],
    records: [],
    constant: undefined,
    withFunctions: false,
    index: undefined,
};

interface OfProcess {
    readonly name: string;
    readonly places: Places;
    readonly isSmall: boolean;
    readonly steps: readonly string[];
}

function process(draw: Draw, text: NumberTexts, { name, places, isSmall, steps: joint }: OfProcess): string {
    const local = places.numbers.find(place => place === 'm' || place === 'k');
    const steps = Array.from({ length: 1 + draw.below(joint.length > 0 || isSmall ? 2 : 3) }, (_, index) => {
        const label = `${name.slice(0, 1).toLowerCase()}${index}`;
        const guard = draw.chance(0.6) ? `when ${text.test(places, 1)} ` : '';
        return `${label}: ${guard}{ ${text.body(places)} }`;
    });
    steps.push(...joint);
    // Two who may each choose a joint step, and need not, are refused.
    const shape = joint.some(step => step.startsWith('meet')) ? 1 + draw.below(3) : draw.below(4);
    const body =
        shape === 0
            ? `loop { choose { ${steps.join(' } or { ')} } }`
            : shape === 1
              ? `loop { ${steps.join(' ')} }`
              : shape === 2
                ? `loop { choose { ${steps[0]} } or { go: skip; break } } ${steps.slice(1).join(' ')}`
                : // A local that each round begins with: between the rounds it is dead.
                  `loop { var w: nat w0: w := ${text.number(places, 1)}; ${steps
                      .map((step, index) =>
                          index === 0
                              ? `choose { w1: when ${text.test({ ...places, numbers: [...places.numbers, 'w'] }, 0)} { ${draw.oneOf(places.written)} := w } } or { ${step} }`
                              : step,
                      )
                      .join(' ')} }`;
    return `process ${name} {${local === undefined ? '' : ` var ${local}: nat${draw.chance(0.7) ? ' = 0' : ''}`} ${body} }`;
}

/** Pairs of numbers that move in step; that they do so is shown by no distances that are kept, so that what is found may not be real. */
function numbersInStep(draw: Draw): string {
    const [first, second] = [1 + draw.below(2), 1 + draw.below(2)];
    const isApart = draw.chance(0.3);
    const before = `${draw.oneOf(['y', 'z', 'a', 'c'])} ${draw.oneOf(['<', '==', '<='])} ${draw.oneOf(['y', 'z', 'a', 'c'])} + ${draw.below(3)}`;
    return [
        'model Random',
        `var a: nat = ${draw.oneOf([0, 0, 1, 4])}`,
        'var c: nat = 0',
        'var y: nat = 0',
        'var z: nat = 0',
        'process P {',
        `    loop { choose { up: { a := a + ${first}; c := c + ${second} } } or { go: skip; break } }`,
        ...(draw.chance(0.3) ? [`    once: when ${before} { c := ${draw.oneOf(['a', 'c + 1', 'max(a, c)'])} }`] : []),
        `    loop { choose { back: when z ${draw.oneOf(['!=', '<'])} a { z := z + ${first}; y := y + ${isApart ? 1 + draw.below(2) : second} } } or { stop: when z ${draw.oneOf(['==', '>='])} a; break } }`,
        `    look: assert ${draw.oneOf(['y == c', 'y <= c', 'y == c || a == 0', 'y + 1 != c', `y <= c + ${draw.below(3)}`])}`,
        '}',
        'allow deadlock',
        '',
    ].join('\n');
}

/** Pairs that symmetries exchange, each a sort of its own: their invariants say the same and look at different distances. */
function numbersOfPairs(draw: Draw): string {
    const distance = draw.below(4);
    const sameAs = (of: (at: number) => readonly string[]): string => [1, 2].map(at => draw.oneOf(of(at))).join(' && ');
    const condition = (): string =>
        draw.oneOf(['a[i] <= b[i]', 'a[i] == b[i]', 'b[i] < a[i] + 1', 'a[i] != b[i] + 1', 'a[i] < b[i]']);
    const sum = (): string =>
        draw.oneOf(['a[i]', 'b[i]', 'a[i] + 1', 'b[i] + 1', 'b[i] + 2', 'max(a[i], b[i])', 'max(a[i], b[i]) + 1']);
    const steps = ['s', 't', 'u'].slice(0, 2 + draw.below(2)).map(label => {
        const guard = draw.chance(0.7) ? `when ${condition()} ` : '';
        return `${label}: ${guard}{ ${draw.oneOf(['a[i]', 'b[i]'])} := ${sum()} }`;
    });
    return [
        'model Random',
        'type I = 1 .. 2',
        'var a: nat[I] = 0',
        'var b: nat[I] = 0',
        `process P[i: I] { loop { choose { ${steps.join(' } or { ')} } } }`,
        `invariant holds = ${draw.oneOf([
            sameAs(at => [
                `a[${at}] <= b[${at}] + ${distance}`,
                `a[${at}] < b[${at}] + ${distance + 1}`,
                `!(b[${at}] + ${distance} < a[${at}])`,
            ]),
            sameAs(at => [
                `b[${at}] - a[${at}] != ${distance}`,
                `!(b[${at}] <= a[${at}] + ${distance} && b[${at}] > a[${at}] + ${distance} - 1)`,
                `(b[${at}] < a[${at}] + ${distance} || b[${at}] >= a[${at}] + ${distance + 1})`,
            ]),
        ])}`,
        'allow deadlock',
        '',
    ].join('\n');
}
