/**
 * `orbit import`: from the text of a Murphi model to a readable Orbit text with the same states. What is not carried over is
 * told at its place; without it the text says less than the source, and stands as a comment in it.
 */
import type { Problem } from '../../engine/common/problem.js';
import type { SourceRange } from '../../engine/common/source-range.js';
import { UndefinedCells } from './definedness.js';
import { linkProgram } from './link.js';
import { capitalized, toName } from './names.js';
import * as Orbit from './orbit-text.js';
import { parseMurphi } from './parse.js';
import { MARK } from './source-text.js';
import { writeStartValues } from './start-values.js';
import { plainRulesOf, RuleWriter } from './write-rules.js';

export interface MurphiImport {
    /** Undefined if the source has errors. Types of the source are not compared: the check of this text does that. */
    readonly written?: { readonly text: string; readonly placeOf: (offset: number) => SourceRange };
    /** Errors of the source, what is not carried over (`murphi/not-carried-over`), and what changes no run. */
    readonly problems: readonly Problem[];
}

/** `name` is the file of the source as its reader knows it. Never throws because of the text. */
export function importMurphi(text: string, uri: string, name: string): MurphiImport {
    const parsed = parseMurphi(text, uri);
    if ('problems' in parsed) {
        return parsed;
    }
    const { program, source } = parsed;
    const linked = linkProgram(program, source);
    const { facts, refused, globals } = linked;
    const all = plainRulesOf(program);
    const starts = all.flatMap(({ rule }) => (rule.$type === 'StartState' ? [rule] : []));
    if (starts.length === 0) {
        facts.refuse(program, 'murphi/type', 'there is no start state');
    }
    const isWrong = facts.problems.some(({ code }) => code === 'murphi/type' || code === 'murphi/unresolved');
    if (isWrong || starts.some(rule => refused.has(rule))) {
        return { problems: facts.problems };
    }
    const rules = all.flatMap(({ rule }) => (refused.has(rule) ? [] : [rule]));
    new UndefinedCells(facts).mark(
        globals,
        starts.map(({ statements }) => statements),
        linked.routines.filter(({ node }) => !refused.has(node)),
        rules.flatMap(rule => (rule.$type === 'SimpleRule' ? [rule.statements] : [])),
        rules.flatMap(rule =>
            rule.$type === 'Property' ? rule.condition : rule.$type === 'SimpleRule' ? (rule.guard ?? []) : [],
        ),
    );
    const [only, ...others] = starts;
    const isValues =
        only !== undefined && others.length === 0 && writeStartValues(only.statements, globals, facts, linked.names);
    const parts = new RuleWriter(linked, isValues ? 'values' : 'bodies').write(program.parts);
    const declarations = paragraphs(linked.declarations.map(print => print()));
    const head = `${Orbit.comment(headerOf(name, facts.problems))}\nmodel ${modelName(name)}`;
    return {
        written: source.withoutMarks(`${[head, ...declarations, ...parts].join('\n\n')}\n`),
        // A place that is written several times is told once.
        problems: [...new Map(facts.problems.map(problem => [JSON.stringify(problem), problem])).values()],
    };
}

/** Declarations of one kind that take a line each stand together. */
function paragraphs(declarations: readonly string[]): string[] {
    const wordOf = (text: string): string => /\w+ /.exec(text.split(MARK).at(-1) ?? '')?.[0] ?? '';
    const found: string[] = [];
    declarations.forEach((text, index) => {
        const before = declarations[index - 1] ?? '\n';
        const isNext = wordOf(before) === wordOf(text) && !`${before}${text}`.includes('\n');
        found.push(isNext ? `${found.pop() ?? ''}\n${text}` : text);
    });
    return found;
}

/** Where the text is from, and what of the source it does not say. */
function headerOf(name: string, problems: readonly Problem[]): readonly string[] {
    const drops = problems.some(({ code }) => code === 'murphi/dropped');
    return [
        `From ${name}, a Murphi model, by \`orbit import\`${drops ? ', without `put`' : ''}.`,
        'A rule that changes nothing is a step: where there is no other one, CMurphi would tell a deadlock.',
    ];
}

/** The name of the file without folders and ending. */
function modelName(file: string): string {
    const [base = ''] = (file.split(/[\\/]/).at(-1) ?? '').split('.');
    const name = capitalized(toName(base));
    return name === '' ? 'Imported' : name;
}
