/**
 * Fixtures: .orbit files with the problems that the language server finds, in comments; `npx vitest -u` writes these.
 *
 *     var x: bool = tru
 *     //            ^^^ error name/unresolved: `tru` is not declared; did you mean `true`?
 *     //     note 3:5: first declared here
 *
 * Without room for the slashes the column follows them: `//0^^^^`. `|` is an empty range; `^+2:5` ends two lines below
 * before column 5. `//! parameters: N = 7, M = 2` in the first line sets parameters; `//! advice` also asks for advice.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem } from '../engine/common/problem.js';
import { UNLIMITED } from '../engine/common/work-limit.js';
import { createTextOf } from '../engine/common/source-text.js';
import { findDeadSteps, valuesOf } from '../engine/constraints/dead-steps.js';
import { findPossibleFaults } from '../engine/verdict/possible-faults.js';
import { linearize } from '../engine/sequential/linearize.js';
import type { SequentialModel } from '../engine/sequential/sequential-model.js';
import { loadModel, type ReadImport } from '../language-server/load-model.js';
import { withoutIgnored } from '../language/problems/ignored.js';

const ANNOTATION = /^\/\/\d?\s*(\^+(\+\d+:\d+)?|\|) (error|warning|information) /;
const NOTE = /^\/\/\s*note \d+:\d+: /;
const NOTHING: { readonly sequential?: SequentialModel; readonly problems: readonly Problem[] } = { problems: [] };
const ADVICE = /^\/\/! advice$/m;
const PARAMETERS = /^\/\/! parameters: (.*)$/;

/** One test for each .orbit file in a folder: what the front end and linearization find is what its comments say. */
export function testFixtures(folder: string): void {
    for (const file of readdirSync(folder).filter(name => name.endsWith('.orbit'))) {
        test(`${file.replace(/\.orbit$/, '')} is annotated with what is found`, async () => {
            const path = join(folder, file);
            const text = readFileSync(path, 'utf8');
            const {
                model,
                problems,
                advice = [],
            } = await loadModel(text, `file:///${file}`, parametersOf(text), importsFrom(folder));
            const { sequential, problems: behind } = model === undefined ? NOTHING : linearize(model);
            // Problems of an imported file stand in that file.
            const all = [...problems, ...behind].filter(({ range }) => range.uri === `file:///${file}`);
            if (ADVICE.test(text)) {
                all.push(...advice);
                if (model !== undefined && sequential !== undefined) {
                    const values = valuesOf(sequential, UNLIMITED);
                    const faults =
                        values === undefined
                            ? []
                            : findPossibleFaults(
                                  sequential,
                                  values,
                                  createTextOf(() => text),
                                  UNLIMITED,
                              );
                    all.push(
                        ...withoutIgnored(
                            [...findDeadSteps(model, sequential, UNLIMITED, values), ...faults],
                            () => text,
                        ),
                    );
                }
            }
            await expect(annotate(text, all)).toMatchFileSnapshot(path);
        });
    }
}

function importsFrom(folder: string): ReadImport {
    return uri => {
        const path = join(folder, uri.slice('file:///'.length));
        return Promise.resolve(
            existsSync(path) ? { content: readFileSync(path) } : { reason: 'there is no such file' },
        );
    };
}

/** The text with exactly the annotations that `problems` call for. */
export function annotate(text: string, problems: readonly Problem[]): string {
    const result: string[] = [];
    text.split('\n').forEach((line, index) => {
        if (!isAnnotation(line)) {
            result.push(line);
        }
        for (const problem of problems) {
            // A problem can begin in an annotation, at the end of the file: then it belongs to what stands above.
            if (problem.range.start.line === index) {
                result.push(...annotationsOf(problem));
            }
        }
    });
    return result.join('\n');
}

export function isAnnotation(line: string): boolean {
    return ANNOTATION.test(line) || NOTE.test(line);
}

function parametersOf(text: string): [string, string][] {
    const list = PARAMETERS.exec(text.split('\n')[0] ?? '')?.[1] ?? '';
    // Values have commas, too; the one before a name and `=` ends a value.
    return list
        .split(/,(?=\s*\w+\s*=)/)
        .filter(part => part.includes('='))
        .map(part => [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]);
}

function annotationsOf(problem: Problem): string[] {
    const { start, end } = problem.range;
    const mark =
        start.line !== end.line
            ? `^+${end.line - start.line}:${end.character + 1}`
            : '^'.repeat(end.character - start.character) || '|';
    const prefix = start.character < 2 ? `//${start.character}` : `//${' '.repeat(start.character - 2)}`;
    const notes = (problem.related ?? []).map(
        ({ message, range }) => `//     note ${range.start.line + 1}:${range.start.character + 1}: ${message}`,
    );
    return [`${prefix}${mark} ${problem.severity} ${problem.code}: ${problem.message}`, ...notes];
}
