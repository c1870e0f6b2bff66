/**
 * `orbit import`: from the text of a Murphi model to a readable Orbit text with the same states. What is not carried over is
 * told at its place; without it the text says less than the source, and stands as a comment in it.
 */
import type { Problem } from '../../engine/common/problem.js';
import { checkProgram, type CheckedProgram } from './check.js';
import { printDeclaration } from './declarations.js';
import { UndefinedCells } from './definedness.js';
import type * as Murphi from './generated/ast.js';
import { capitalized, toName } from './names.js';
import { printComment } from './orbit-syntax.js';
import { parseMurphi } from './parse.js';
import { startValues } from './start-values.js';
import { plainRulesOf, RuleWriter } from './write-rules.js';

export interface MurphiImport {
    /** Undefined if the source has errors. */
    readonly text?: string;
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
    const checked = checkProgram(program, source);
    const { facts } = checked;
    const rules = plainRulesOf(program);
    const startStates = rules.map(({ rule }) => rule).filter(rule => rule.$type === 'StartState');
    if (startStates.length === 0) {
        facts.refuse(program, 'murphi/type', 'there is no start state');
    }
    if (startStates.some(rule => checked.refused.has(rule)) || isWrong(facts.problems)) {
        return { problems: facts.problems };
    }
    markUndefined(program, checked);
    const globals = checked.declarations.flatMap(declaration =>
        declaration.kind === 'variable' ? [declaration.variable] : [],
    );
    const [only, ...others] = rules.filter(({ rule }) => rule.$type === 'StartState');
    const initial =
        only?.rule.$type === 'StartState' && others.length === 0
            ? startValues(only.rule.statements, globals, facts, checked.names)
            : undefined;
    const parts = new RuleWriter(checked, initial === undefined ? 'bodies' : 'values').write(program.parts);
    const declarations = checked.declarations.map(declaration => ({
        kind: declaration.kind,
        text: printDeclaration(declaration, initial ?? new Map()),
    }));
    const head = `${printComment(headerOf(name, facts.problems))}\nmodel ${modelName(name)}`;
    return {
        text: `${[head, ...paragraphs(declarations), ...parts].join('\n\n')}\n`,
        problems: unique(facts.problems),
    };
}

/** Declarations of one kind that take a line each stand together. */
function paragraphs(declarations: readonly { readonly kind: string; readonly text: string }[]): string[] {
    const found: string[] = [];
    declarations.forEach(({ kind, text }, index) => {
        const before = declarations[index - 1];
        const isNext = before?.kind === kind && !`${before.text}${text}`.includes('\n');
        found.push(isNext ? `${found.pop() ?? ''}\n${text}` : text);
    });
    return found;
}

function isWrong(problems: readonly Problem[]): boolean {
    return problems.some(({ code }) => code !== 'murphi/not-carried-over' && code !== 'murphi/dropped');
}

function markUndefined(program: Murphi.Program, { facts, declarations, routines, refused }: CheckedProgram): void {
    const globals = declarations.flatMap(declaration =>
        declaration.kind === 'variable' ? [declaration.variable] : [],
    );
    const rules = plainRulesOf(program).flatMap(({ rule }) => (refused.has(rule) ? [] : [rule]));
    new UndefinedCells(facts).mark(
        globals,
        rules.flatMap(rule => (rule.$type === 'StartState' ? [rule.statements] : [])),
        routines.filter(({ node }) => !refused.has(node)),
        rules.flatMap(rule => (rule.$type === 'SimpleRule' ? [rule.statements] : [])),
        rules.flatMap(rule =>
            rule.$type === 'Property'
                ? [rule.condition]
                : rule.$type === 'SimpleRule' && rule.guard
                  ? [rule.guard]
                  : [],
        ),
    );
}

/** A place that is written several times is told once. */
function unique(problems: readonly Problem[]): readonly Problem[] {
    return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()];
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
