/** Random edits of a model, as somebody makes them who is writing it: of what it says, and of how it looks. */
import type { Random } from '../../engine/common/random.js';
import { printModel } from '../reference/print.js';
import type { Declaration, Model } from '../reference/syntax.js';
import { shrinkModel } from './shrink-model.js';

/** The texts of a model while it is edited `count` times, the first before any edit. Not all of them are without errors. */
export function editedTexts(model: Model, count: number, random: Random): string[] {
    const versions = [model];
    const texts = [printModel(model)];
    for (let edit = 0; edit < count; edit++) {
        const current = versions.at(-1) ?? model;
        const kind = random.below(7);
        const next =
            kind === 0
                ? (versions.at(-2) ?? current)
                : kind === 1
                  ? duplicated(current, random)
                  : kind === 2
                    ? reordered(current, random)
                    : kind < 5
                      ? withoutSomething(current, random)
                      : current;
        versions.push(next);
        const text = kind === 6 ? renamed(printModel(next), random) : printModel(next);
        texts.push(random.below(2) === 0 ? laidOut(text, random) : text);
    }
    return texts;
}

/** One part left out or replaced by one of its own parts. */
function withoutSomething(model: Model, random: Random): Model {
    const smaller = [...shrinkModel(model)];
    return smaller[random.below(Math.max(1, smaller.length))] ?? model;
}

function duplicated(model: Model, random: Random): Model {
    const processes = model.declarations.filter(declaration => declaration.kind === 'process');
    const copied = processes[random.below(Math.max(1, processes.length))];
    if (copied === undefined) {
        return model;
    }
    return { ...model, declarations: [...model.declarations, { ...copied, name: `${copied.name}Again` }] };
}

function reordered(model: Model, random: Random): Model {
    const declarations: Declaration[] = [...model.declarations];
    const first = random.below(Math.max(1, declarations.length - 1));
    declarations.splice(first, 2, ...declarations.slice(first, first + 2).reverse());
    return { ...model, declarations };
}

/** One of the names that begin with a small letter, everywhere. */
function renamed(text: string, random: Random): string {
    const names = [...new Set([...text.matchAll(/^var ([a-z]\w*)/gm)].map(match => match[1]))];
    const name = names[random.below(Math.max(1, names.length))];
    return name === undefined ? text : text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}Renamed`);
}

function laidOut(text: string, random: Random): string {
    return text
        .split('\n')
        .map(line => {
            switch (random.below(8)) {
                case 0:
                    return `// a remark\n\n${line}`;
                case 1:
                    return `    ${line}`;
                case 2:
                    return `${line} // about this`;
                default:
                    return line;
            }
        })
        .join('\n');
}
