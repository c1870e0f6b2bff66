/**
 * Random models whose processes are created with numbers without end: in parameters, head locals, locals, messages and cells
 * over the template. All other values are truth values and instances.
 */
import { type Draw, drawFrom } from './number-models.js';

/** The model of a seed. */
export function numberTemplateModel(seed: number): string {
    const draw = drawFrom(seed);
    const most = 1 + draw.below(2);
    const withCells = draw.chance(0.4);
    const withMail = draw.chance(0.4);
    const withHead = draw.chance(0.6);
    const withLast = draw.chance(0.5);
    const shared = ['x', 'y'].slice(0, 1 + draw.below(2));
    const written = [...(withHead ? ['h'] : []), ...(withCells ? ['v[self]'] : [])];
    const own = ['t', ...written];
    const create = `spawn W(${sum(draw, shared)})`;
    const begin = draw.chance(0.3) ? 1 + draw.below(3) : 0;
    const steps = [
        `come: when count(w in W: true) < ${most} { ${withLast ? 'last := ' : ''}${create}; ${assignment(draw, shared, shared)} }`,
        ...(draw.chance(0.4) ? [`up: { ${assignment(draw, shared, shared)} }`] : []),
        ...(withLast && withCells && draw.chance(0.6)
            ? [`write: when last != none && alive(last) { v[last] := ${sum(draw, shared)} }`]
            : []),
        ...(withLast && withMail
            ? [`post: when last != none && alive(last) && !full(mail[last]) mail[last] ! ${sum(draw, shared)}`]
            : []),
    ];
    const all = [...shared, ...own];
    const ways = [
        `a: when ${test(draw, all)} { ${assignment(draw, [...shared, ...written], all)} }`,
        ...(written.length > 0 && draw.chance(0.6) ? [`b: { ${assignment(draw, written, all)} }`] : []),
        ...(withMail ? [`c: mail[self] ? ${draw.oneOf([...shared, ...written])}`] : []),
        ...(draw.chance(0.3) ? [`d: assert ${test(draw, all)}`] : []),
        `e: ${draw.chance(0.5) ? `when ${test(draw, all)} ` : ''}{ ${assignment(draw, shared, all)} } break`,
    ];
    const body = draw.chance(0.7)
        ? `loop { choose { ${ways.join(' } or { ')} } }`
        : `var m: nat first: m := ${sum(draw, all)}; second: when m ${relation(draw)} x { ${assignment(draw, shared, [...all, 'm'])} }`;
    return [
        'model Random',
        ...shared.map((name, index) => `var ${name}: nat = ${index === 0 ? begin : 0}`),
        ...(withLast ? ['var last: W? = none'] : []),
        ...(withCells ? [`var v: nat[W] = ${draw.chance(0.7) ? 0 : 1 + draw.below(3)}`] : []),
        ...(withMail ? ['channel mail[W]: 1 of nat'] : []),
        `process Main { loop { choose { ${steps.join(' } or { ')} } } }`,
        `process W(t: nat) {${withHead ? ` var h: nat = ${draw.oneOf(['0', '2', 't', 't + 1'])}` : ''} ${body} }`,
        `invariant holds = ${
            draw.chance(0.5)
                ? `forall w in W: !(w.t ${relation(draw)} ${sum(draw, shared)} && w at ${body.startsWith('loop') ? 'a' : 'first'})`
                : `!(${test(draw, shared)})`
        }`,
        ...(draw.chance(0.8) ? ['allow deadlock'] : []),
        '',
    ].join('\n');
}

function relation(draw: Draw): string {
    return draw.oneOf(['==', '<', '<=', '>', '!=']);
}

function sum(draw: Draw, places: readonly string[]): string {
    const place = draw.oneOf(places);
    switch (draw.below(6)) {
        case 0:
        case 1:
            return place;
        case 2:
        case 3:
            return `${place} + ${1 + draw.below(2)}`;
        case 4:
            return `max(${place}, ${draw.oneOf(places)})`;
        default:
            return draw.chance(0.5) ? `${draw.below(3)}` : `min(${place} + 1, ${draw.oneOf(places)})`;
    }
}

function test(draw: Draw, places: readonly string[]): string {
    const one = `${draw.oneOf(places)} ${relation(draw)} ${sum(draw, places)}`;
    return draw.chance(0.15) ? `${draw.oneOf(places)} mod 2 == ${draw.below(2)}` : one;
}

function assignment(draw: Draw, targets: readonly string[], places: readonly string[]): string {
    return `${draw.oneOf(targets)} := ${sum(draw, places)}`;
}
